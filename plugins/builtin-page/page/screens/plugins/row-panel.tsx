import { useMemo, useEffect } from 'preact/hooks';
import type { ScreenPart, ScreenView } from '../../../screens/wire.ts';
import { reading } from '../../live/reading.ts';
import { Close } from '../../parts/back.tsx';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Actions } from './actions.tsx';
import { textAt } from './cell.tsx';
import { apiPath, screenPath } from '../../plugin-links.ts';
import { Facts, Sections } from './sections.tsx';

interface Props {
  readonly view: ScreenView;
  readonly id: string;
  /** Undefined: it is not among the rows that are shown. */
  readonly row: unknown;
  readonly onDone: (message: string) => void;
}

const maxTitle = 120;

/** One row: all that is known of it, and what can be done to it. */
export function RowPanel({ view, id, row, onDone }: Props) {
  const [first, ...others] = view.columns;
  const title = textAt(row, first!.member) || id;
  return (
    <article aria-label={`${view.title}: ${id}`}>
      <Close title={view.title} to={screenPath(view)} />
      <h2 tabIndex={-1}>
        <HiddenText text={title.length > maxTitle ? `${title.slice(0, maxTitle)}…` : title} />
      </h2>
      {row !== undefined && <Facts row={row} columns={title.length > maxTitle ? view.columns : others} />}
      {row !== undefined && <Actions view={view} row={row} onDone={onDone} />}
      {view.detail && <Detail view={view} id={id} />}
      {row === undefined && !view.detail && <p class="quiet">It is not there any more.</p>}
    </article>
  );
}

function Detail({ view, id }: { readonly view: ScreenView; readonly id: string }) {
  const part = useMemo(
    () => reading<ScreenPart>(`${apiPath('screen-detail', view)}?row=${encodeURIComponent(id)}`),
    [],
  );
  useEffect(() => part.follow(), []);
  const data = part.value.value?.data;
  return (
    <>
      {part.problem.value !== undefined && (
        <Broken what="More could not be read." why={part.problem.value} again={() => void part.read()} />
      )}
      {data !== undefined ? (
        <Sections sections={view.detail!} data={data} />
      ) : (
        part.problem.value === undefined && <p class="quiet">Loading…</p>
      )}
    </>
  );
}
