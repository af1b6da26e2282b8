import { killRepeatedly } from '../../test/kit/kills/lives.ts';
import type { SoakTally } from './run.ts';

/** Minimum number of runs of schedules. */
const fires = 1_000;

/** Kills processes that run schedules and write all other data, until enough schedules have run. */
export async function killSchedules({ counts, failures }: SoakTally): Promise<void> {
  const tally = await killRepeatedly({ seeds: numbers(), enough: (now) => now.fires >= fires });
  counts.set('runs of schedules', tally.fires);
  counts.set('runs of schedules cut off by a kill', tally.cutOff);
  counts.set('acknowledged writes', tally.acknowledged);
  counts.set('processes killed at work', tally.kills);
  failures.push(...tally.violations);
}

function* numbers(): Generator<number> {
  for (let seed = 1; ; seed++) yield seed;
}
