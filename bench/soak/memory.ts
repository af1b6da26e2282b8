import { residentMemory } from '../kit/process.ts';
import { median } from '../kit/statistics.ts';
import { passes } from './kills.ts';
import type { SoakRun } from './run.ts';

/**
 * Share of the run for the warm-up. For about five minutes, V8 lets the heap grow between collections, while the live
 * heap stays at 24 to 28 MB.
 */
const warmUp = 0.5;

/** Resident memory in MB after the warm-up and at the end, each the median over a tenth of the time. */
export async function watchMemory(run: SoakRun): Promise<{ readonly warm: number; readonly end: number }> {
  const samples: number[] = [];
  while (await passes(500, run.signal)) samples.push(residentMemory(run.pegboard.pid));
  const tenth = (from: number): number =>
    median(samples.slice(samples.length * from, Math.ceil(samples.length * (from + 0.1))));
  return { warm: tenth(warmUp), end: tenth(0.9) };
}
