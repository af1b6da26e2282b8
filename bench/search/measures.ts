import { quantile } from '../kit/statistics.ts';
import type { Query } from './collection.ts';

interface Answer {
  /** Ids of tools, best first. */
  readonly ids: readonly string[];
  /** Whether they are matches, not only the nearest tools. */
  readonly isSure: boolean;
}
export type Find = (text: string, limit: number) => Answer;

/** Quality of a search. Shares are in percent. */
export interface Measures {
  /** Number of requests that some tool answers. */
  readonly queries: number;
  /** Share of relevant tools among the first one, five and ten. */
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  /** Järvelin and Kekäläinen (2002), over the first ten; all relevant tools have equal weight. */
  readonly ndcg10: number;
  /** Share of relevant tools among the first five shown results; without a certain match, only three are shown. */
  readonly shown5: number;
  /** Share of answerable requests without a certain match. */
  readonly unsure: number;
  /** Share of unanswerable requests with a certain match. `undefined` when there are no such requests. */
  readonly falseAnswers: number | undefined;
  /** 95th percentile of the milliseconds of one query. */
  readonly p95: number;
}

const depth = 10;
const maxNearest = 3;

export function measure(queries: readonly Query[], find: Find): Measures {
  const answers = queries.map((query) => {
    const start = performance.now();
    const { ids: found, isSure } = find(query.text, depth);
    const shown = isSure ? found : found.slice(0, maxNearest);
    return { ...query, found, shown, isSure, ms: performance.now() - start };
  });
  const labelled = answers.filter(({ relevant }) => relevant.length > 0);
  const missing = answers.filter(({ relevant }) => relevant.length === 0);
  const recall = (first: number): number =>
    percent(labelled.map(({ relevant, found }) => recallOf(relevant, found.slice(0, first))));
  return {
    queries: labelled.length,
    recall1: recall(1),
    recall5: recall(5),
    recall10: recall(10),
    ndcg10: percent(labelled.map(({ relevant, found }) => ndcgOf(relevant, found))),
    shown5: percent(labelled.map(({ relevant, shown }) => recallOf(relevant, shown.slice(0, 5)))),
    unsure: percent(labelled.map(({ isSure }) => Number(!isSure))),
    falseAnswers: missing.length === 0 ? undefined : percent(missing.map(({ isSure }) => Number(isSure))),
    p95: quantile(
      answers.map(({ ms }) => ms),
      0.95,
    ),
  };
}

function recallOf(relevant: Query['relevant'], found: readonly string[]): number {
  return relevant.filter((group) => group.some((id) => found.includes(id))).length / relevant.length;
}

function ndcgOf(relevant: Query['relevant'], found: readonly string[]): number {
  const gain = (place: number): number => 1 / Math.log2(place + 2);
  const open = new Set(relevant);
  let gained = 0;
  found.forEach((id, place) => {
    const group = [...open].find((one) => one.includes(id));
    if (group && open.delete(group)) gained += gain(place);
  });
  const best = relevant.slice(0, depth).reduce((sum, _, place) => sum + gain(place), 0);
  return gained / best;
}

function percent(shares: readonly number[]): number {
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(1, shares.length);
}
