import { useSignal } from '@preact/signals';
import type { ScreenView } from '../../../screens/wire.ts';
import { Cell, hasContent, textAt } from './cell.tsx';
import { screenPath } from '../../plugin-links.ts';

/** Rows that are shown at once. */
const atOnce = 100;

interface Props {
  readonly view: ScreenView;
  readonly rows: readonly unknown[];
  /** The key of the row that is open; empty for none. */
  readonly chosen: string;
}

/** The rows, as the columns say. On narrow windows each row is a card. */
export function Table({ view, rows, chosen }: Props) {
  const most = useSignal(atOnce);
  const [first, ...rest] = view.columns;
  const others = rest.filter((column) => rows.some((row) => hasContent(row, column)));
  return (
    <div class="table cards" tabIndex={0} role="region" aria-label={`${view.title}: table`}>
      <table>
        <thead>
          <tr>
            {[first!, ...others].map(({ title, as }) => (
              <th scope="col" class={as === 'count' ? 'ms' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most.value).map((row) => {
            const key = textAt(row, view.key);
            return (
              <tr key={key} class={key === chosen ? 'chosen' : ''}>
                <th scope="row">
                  <a href={screenPath(view, key)} aria-current={key === chosen ? 'true' : undefined}>
                    <Cell row={row} column={first!} />
                    {textAt(row, first!.member) === '' && key}
                  </a>
                </th>
                {others.map((column) => (
                  <td data-title={column.title} data-as={column.as ?? 'text'}>
                    <Cell row={row} column={column} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > most.value && (
        <p class="row">
          <span class="quiet">
            {most.value.toLocaleString()} of {rows.length.toLocaleString()}
          </span>
          <button type="button" class="small" onClick={() => (most.value += atOnce)}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}
