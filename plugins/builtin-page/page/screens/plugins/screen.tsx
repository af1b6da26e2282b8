import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ScreenGraph, ScreenLink, ScreenRows, ScreenView } from '../../../screens/wire.ts';
import { get, messageOf } from '../../api.ts';
import { reading, type Reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { Offline } from '../../parts/offline.tsx';
import { Words } from '../../parts/words.tsx';
import { path } from '../../router.ts';
import { Actions } from './actions.tsx';
import { Calendar } from './calendar.tsx';
import { textAt, timeZone } from './cell.tsx';
import { GraphView } from './graph/graph.tsx';
import { apiPath } from '../../plugin-links.ts';
import { RowPanel } from './row-panel.tsx';
import { Table } from './table.tsx';

/** Milliseconds between two looks while the page is seen: nobody says when a plugin's data changes. */
const lookAgainMs = 15_000;

/** A screen that a plugin declares, made from what its commands print. */
export function PluginScreen() {
  const [, plugin = '', screen = ''] = path.value;
  return <Loaded key={`${plugin}/${screen}`} place={{ plugin, screen }} />;
}

function Loaded({ place }: { readonly place: Pick<ScreenLink, 'plugin' | 'screen'> }) {
  const declared = useMemo(() => reading<ScreenView>(apiPath('screen', place)), []);
  const rows = useMemo(() => reading<ScreenRows>(apiPath('screen-rows', place)), []);
  useEffect(() => declared.follow(), []);
  useEffect(() => {
    const stop = rows.follow();
    const timer = setInterval(() => document.visibilityState === 'visible' && void rows.read(), lookAgainMs);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  const view = declared.value.value;
  if (view) return <Screen view={view} rows={rows} />;
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>{place.screen}</h1>
      <Offline knowsNothing />
      {declared.problem.value === undefined ? (
        <p class="quiet">Loading…</p>
      ) : (
        <Broken
          what={`The plugin ${place.plugin} has no screen "${place.screen}" now.`}
          why={declared.problem.value}
          again={() => void declared.read()}
        />
      )}
    </div>
  );
}

function Screen({ view, rows }: { readonly view: ScreenView; readonly rows: Reading<ScreenRows> }) {
  const chosen = path.value[3] ?? '';
  const said = useSignal('');
  const second = useSignal(false);
  const search = useSearch(view);
  const known = rows.value.value;
  const shown = search.found.value ?? known?.rows;
  const done = (message: string): void => {
    said.value = message;
    void rows.read();
    search.again();
  };
  const hasTimes = view.kind === 'calendar' || view.columns.some(({ as }) => as === 'time');
  return (
    <div class={chosen === '' ? 'split trace plugin-screen' : 'split trace plugin-screen chosen'}>
      <div class="listing scroll">
        <header class="lead">
          <h1 tabIndex={-1}>{view.title}</h1>
          <p class="quiet">
            {view.question}
            {hasTimes && ` Times are those of ${timeZone}.`}
          </p>
        </header>
        <Offline knowsNothing={known === undefined} />
        {rows.problem.value !== undefined && (
          <Broken
            what={`${view.title} could not be read.`}
            why={rows.problem.value}
            again={() => void rows.read()}
          />
        )}
        {known?.note !== undefined && (
          <p class="warn">
            <Words text={known.note} />
          </p>
        )}
        <p class="good" role="status">
          {said.value}
        </p>
        <div class="row filters">
          {view.hasSearch && <SearchField words={search.words} />}
          <Switch view={view} second={second} />
          <span class="quiet count">{shown && `${shown.length.toLocaleString()} shown`}</span>
        </div>
        {search.problem.value !== '' && <Broken what="The search failed." why={search.problem.value} />}
        <Actions view={view} onDone={done} />
        {second.value && view.kind === 'calendar' && known && (
          <Calendar view={view} entries={known.entries} />
        )}
        {second.value && view.kind === 'graph' && <Linked view={view} />}
        {!second.value && (
          <Rows
            view={view}
            shown={shown}
            isSearch={search.found.value !== undefined}
            chosen={chosen}
            isBroken={rows.problem.value !== undefined}
          />
        )}
      </div>
      {chosen !== '' && (
        <div key={chosen} class="detail scroll">
          <RowPanel
            view={view}
            id={chosen}
            row={[...(known?.rows ?? []), ...(search.found.value ?? [])].find(
              (row) => textAt(row, view.key) === chosen,
            )}
            onDone={done}
          />
        </div>
      )}
    </div>
  );
}

interface RowsProps {
  readonly view: ScreenView;
  readonly shown: readonly unknown[] | undefined;
  readonly isSearch: boolean;
  readonly isBroken: boolean;
  readonly chosen: string;
}

function Rows({ view, shown, isSearch, isBroken, chosen }: RowsProps) {
  if (!shown) return isBroken ? null : <p class="quiet">Loading…</p>;
  if (shown.length > 0) return <Table view={view} rows={shown} chosen={chosen} />;
  return <p class="quiet empty">{isSearch ? 'Nothing fits.' : <Words text={view.empty} />}</p>;
}

function Switch({ view, second }: { readonly view: ScreenView; readonly second: Signal<boolean> }) {
  if (view.kind === 'table') return null;
  return (
    <div class="switch" role="group" aria-label="View">
      <button type="button" aria-pressed={!second.value} onClick={() => (second.value = false)}>
        List
      </button>
      <button type="button" aria-pressed={second.value} onClick={() => (second.value = true)}>
        {view.kind === 'calendar' ? 'Calendar' : 'Graph'}
      </button>
    </div>
  );
}

const SearchField = ({ words }: { readonly words: Signal<string> }) => (
  <input
    type="search"
    aria-label="Search"
    placeholder="Search  ( / )"
    spellcheck={false}
    value={words.value}
    onInput={(event) => (words.value = event.currentTarget.value)}
  />
);

/** Milliseconds without a key after which it is searched. */
const pauseMs = 250;

/** What the search command finds; `found` is undefined while nothing is searched. */
function useSearch(view: ScreenView) {
  const words = useSignal('');
  const found = useSignal<readonly unknown[] | undefined>(undefined);
  const problem = useSignal('');
  const round = useSignal(0);
  const last = useRef('');
  useEffect(() => {
    const query = words.value.trim();
    if (query === '') {
      found.value = undefined;
      problem.value = '';
      last.current = '';
      return undefined;
    }
    const over = new AbortController();
    const search = async (): Promise<void> => {
      try {
        const query_ = new URLSearchParams({ q: query });
        const { rows } = await get<ScreenRows>(`${apiPath('screen-rows', view)}?${query_}`, over.signal);
        found.value = rows;
        problem.value = '';
      } catch (cause) {
        if (!over.signal.aborted) problem.value = messageOf(cause);
      }
    };
    const timer = setTimeout(() => void search(), query === last.current ? 0 : pauseMs);
    last.current = query;
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [words.value, round.value]);
  return { words, found, problem, again: () => void round.value++ };
}

/** The graph, read when it is first looked at. */
function Linked({ view }: { readonly view: ScreenView }) {
  const graph = useMemo(() => reading<ScreenGraph>(apiPath('screen-graph', view)), []);
  useEffect(() => graph.follow(), []);
  const data = graph.value.value;
  return (
    <>
      {graph.problem.value !== undefined && (
        <Broken
          what="The graph could not be read."
          why={graph.problem.value}
          again={() => void graph.read()}
        />
      )}
      {data ? (
        <GraphView view={view} data={data} />
      ) : (
        graph.problem.value === undefined && <p class="quiet">Loading…</p>
      )}
    </>
  );
}
