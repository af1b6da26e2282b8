import type { BenchHome } from '../kit/home.ts';
import type { RunningProcess } from '../kit/process.ts';

/** The result of a soak. */
export interface SoakTally {
  /** How often each event happened. */
  readonly counts: Map<string, number>;
  /** Descriptions of failures. */
  readonly failures: string[];
}

/** Shared state of all work during a soak test. */
export interface SoakRun extends SoakTally {
  readonly home: BenchHome;
  readonly pegboard: RunningProcess & { readonly url: string };
  /** Aborts when time is up. */
  readonly signal: AbortSignal;
}

export function count({ counts }: SoakRun, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** A random integer between the two, inclusive. */
export function randomInteger(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from + 1));
}
