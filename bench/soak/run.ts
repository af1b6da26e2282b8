import type { BenchHome } from '../kit/home.ts';
import type { RunningProcess } from '../kit/process.ts';

/** The result of a soak. */
export interface SoakTally {
  /** How often each thing happened. */
  readonly counts: Map<string, number>;
  /** What must not happen, in words. */
  readonly wrong: string[];
}

/** What all work during a soak shares. */
export interface SoakRun extends SoakTally {
  readonly home: BenchHome;
  readonly pegboard: RunningProcess & { readonly url: string };
  /** Aborts when time is up. */
  readonly signal: AbortSignal;
}

export function count({ counts }: SoakRun, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Between the two, both included. */
export function randomInteger(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from + 1));
}
