import type { Clock, OpenQuestion, QuestionKind } from 'pegboard';
import { startInterval } from 'pegboard/kit';

/** What a tab says of itself, whenever that changes and every `reportMs` of the page. */
interface TabReport {
  /** Another one each time that the tab is loaded. */
  readonly load: string;
  readonly isVisible: boolean;
  /** Milliseconds since somebody last used a key or a pointer in it. */
  readonly idleMs: number;
  /** The chat that it shows, if any. */
  readonly chat: string | undefined;
}

/** The open tabs of all browsers, and which question is asked in which of them. */
export interface Tabs extends Disposable {
  report(id: string, report: TabReport): void;
  /** It was closed, or is loaded again: `load` ends. */
  leave(id: string, load: string): void;
  /** The tab in which the question is asked, of the kinds that are asked in one; the same one for as long as it is open. */
  placeOf(question: Pick<OpenQuestion, 'id' | 'kind' | 'asker'>): string | undefined;
}

/** Tabs in the background report once in a minute. */
const silentMs = 90_000;
/** A tab that is loaded again comes back before this. */
const graceMs = 2_000;
/** Whoever used a tab so long ago has gone away from it. */
const awayMs = 5 * 60_000;
const sweepMs = 1_000;
const askedInTab: ReadonlySet<QuestionKind> = new Set(['dialog', 'files', 'notification']);

interface Tab extends Omit<TabReport, 'idleMs'> {
  readonly activeAt: number;
  readonly until: number;
}

/** `onWatched` is called when somebody begins to look at a tab, and a while after nobody does any more. */
export function openTabs(onWatched: (are: boolean) => void, clock: Clock): Tabs {
  const tabs = new Map<string, Tab>();
  const places = new Map<number, string>();
  let areWatched = false;

  const sweep = (): void => {
    const now = clock.now();
    for (const [id, { until }] of tabs) if (until <= now) tabs.delete(id);
    const are = [...tabs.values()].some(({ isVisible, activeAt }) => isVisible || now - activeAt < awayMs);
    if (are === areWatched) return;
    areWatched = are;
    onWatched(are);
  };
  const sweeping = startInterval(sweepMs, sweep, clock);

  return {
    report(id, { load, isVisible, idleMs, chat }) {
      const now = clock.now();
      tabs.set(id, { load, isVisible, chat, activeAt: now - idleMs, until: now + silentMs });
      sweep();
    },
    leave(id, load) {
      const tab = tabs.get(id);
      if (tab?.load === load) tabs.set(id, { ...tab, isVisible: false, until: clock.now() + graceMs });
    },
    placeOf({ id, kind, asker }) {
      if (!askedInTab.has(kind)) return undefined;
      const known = places.get(id);
      if (known !== undefined && tabs.has(known)) return known;
      const best = [...tabs].toSorted(
        ([, a], [, b]) => rank(b, asker) - rank(a, asker) || b.activeAt - a.activeAt,
      );
      const [place] = best[0] ?? [];
      if (place === undefined) places.delete(id);
      else places.set(id, place);
      return place;
    },
    [Symbol.dispose]() {
      sweeping[Symbol.dispose]();
      tabs.clear();
    },
  };
}

/** First the tab that shows the conversation that asks, then those that are seen, then the one used last. */
const rank = ({ isVisible, chat }: Tab, asker: string): number =>
  (chat !== undefined && asker === `web/${chat}` ? 2 : 0) + (isVisible ? 1 : 0);
