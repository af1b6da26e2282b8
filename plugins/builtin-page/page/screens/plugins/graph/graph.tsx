import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ScreenGraph, ScreenView } from '../../../../screens/wire.ts';
import { HiddenText } from '../../../parts/hidden-text.tsx';
import { screenPath } from '../../../plugin-links.ts';
import { Picture } from './picture.tsx';
import { readGraph, type Edge } from './read-graph.ts';

/** Relations that are listed at once. */
const atOnce = 50;

/** What is linked to what: a picture, and beside it a list that says the same. */
export function GraphView({ view, data }: { readonly view: ScreenView; readonly data: ScreenGraph }) {
  const graph = useMemo(() => readGraph(view, data), [data]);
  const chosen = useSignal<number | undefined>(undefined);
  const words = useSignal('');
  const most = useSignal(atOnce);
  const nameOf = (node: number): string => graph.nodes[node]?.name ?? '';
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ from, to, title }: Edge): boolean => {
    if (chosen.value !== undefined && from !== chosen.value && to !== chosen.value) return false;
    const text = `${nameOf(from)} ${title} ${nameOf(to)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const shown = graph.edges.filter(fits);
  const says = `${count(graph.nodes.length, 'name')}, ${count(graph.edges.length, 'relation')}`;
  if (graph.nodes.length === 0) return <p class="quiet">Nothing is linked yet.</p>;
  return (
    <div class="graph">
      <Picture
        graph={graph}
        label={`Graph: ${says}. The list beside it says the same.`}
        chosen={chosen.value}
        onChosen={(node) => (chosen.value = node)}
      />
      <section aria-label="Relations" class="relations">
        <div class="row">
          <input
            type="search"
            aria-label="Filter the relations"
            placeholder="Filter"
            spellcheck={false}
            value={words.value}
            onInput={(event) => (words.value = event.currentTarget.value)}
          />
          {chosen.value !== undefined && (
            <button type="button" class="small" onClick={() => (chosen.value = undefined)}>
              Not only <HiddenText text={nameOf(chosen.value).slice(0, 40)} />
            </button>
          )}
        </div>
        <p class="quiet" role="status">
          {says}
          {graph.left > 0 && `; ${graph.left.toLocaleString()} with few are left out`}
          {shown.length < graph.edges.length && `; ${shown.length.toLocaleString()} fit`}
        </p>
        <ul class="rows">
          {shown.slice(0, most.value).map((edge) => (
            <li>
              <Name text={nameOf(edge.from)} onPress={() => (chosen.value = edge.from)} />{' '}
              <span class="quiet">
                <HiddenText text={edge.title.slice(0, 200)} />
              </span>{' '}
              <Name text={nameOf(edge.to)} onPress={() => (chosen.value = edge.to)} />
              {edge.row !== '' && (
                <>
                  {' '}
                  <a href={screenPath(view, edge.row)} aria-label={`Why: ${edge.row}`}>
                    why
                  </a>
                </>
              )}
            </li>
          ))}
        </ul>
        {shown.length > most.value && (
          <button type="button" class="small" onClick={() => (most.value += atOnce)}>
            Show more
          </button>
        )}
      </section>
    </div>
  );
}

const Name = ({ text, onPress }: { readonly text: string; readonly onPress: () => void }) => (
  <button type="button" class="name" onClick={onPress}>
    <HiddenText text={text.slice(0, 100)} />
  </button>
);

const count = (many: number, what: string): string =>
  `${many.toLocaleString()} ${what}${many === 1 ? '' : 's'}`;
