import { median } from '../kit/statistics.ts';
import { printFigures } from './endurance/figures.ts';
import { measureIdleHost } from './endurance/idle.ts';
import type { Counts } from './endurance/loads.ts';
import type { Sample } from './endurance/watch.ts';
import { runAllWork } from './endurance/work.ts';
import type { SoakTally } from './run.ts';

const all: Counts = { turns: 10_000, reloads: 1_000, fires: 1_000, crashes: 100 };
/** Share of the work for the warm-up, until caches are filled and code is compiled. */
const warmUp = 0.2;

/**
 * Measures an idle host, and one under all kinds of work or a share of it, from outside. Growth of memory is only
 * significant after all of it.
 */
export async function endure(tally: Pick<SoakTally, 'failures'>, share: number): Promise<void> {
  const figures = printFigures(tally);
  figures.judge('an idle host with all built-in plugins, after a minute', await measureIdleHost(), 'MB', 110);

  const counts = Object.entries(all).map(([what, count]) => [what, Math.ceil(count * share)] as const);
  const seen = await runAllWork(Object.fromEntries(counts) as unknown as Counts);
  const { samples, end, stalls } = seen;
  console.log(`after ${seen.minutes.toFixed(1)} minutes: ${JSON.stringify(seen.progress)}`);
  const during = (from: number, to: number): Sample[] =>
    samples.filter(({ done }) => done >= from && done <= to);
  const memory = (from: number, to: number): number => median(during(from, to).map((one) => one.memory));
  for (let tenth = 0; tenth < 10; tenth++)
    figures.show(`in the ${tenth + 1}. tenth of the work`, memory(tenth / 10, (tenth + 1) / 10), 'MB');
  figures.show('when it has rest', end.memory, 'MB');
  const growth = memory(0.9, 1) / memory(warmUp, warmUp + 0.1);
  if (share >= 1) figures.judge('times the memory after the warm-up, at the end', growth, '', 1.1);
  figures.judge('the longest write-ahead log', Math.max(...samples.map(({ wal }) => wal)), 'MB', 16);
  figures.show('the longest stall, whatever caused it', stalls.host, 'ms');
  figures.show('of a process beside it that only writes to the disk', stalls.bare, 'ms');
  // If the machine delays even the idle process for longer, the limit is raised accordingly.
  const maxStallMs = Math.max(200, stalls.bare);
  figures.judge('the longest stall without what it waited for a processor', stalls.own, 'ms', maxStallMs);
  const descriptors = median(during(warmUp, 1).map((one) => one.descriptors));
  figures.judge('more descriptors at the end than while it worked', end.descriptors - descriptors, '', 0);
  figures.judge('calls that were refused', seen.refused, '', 0);
  figures.judge('processes unexpected its servers', seen.unexpected.length, '', 0);
  figures.judge('processes left behind', seen.left.length, '', 0);
  for (const line of [...seen.unexpected, ...seen.left]) console.log(`         ${line}`);
}
