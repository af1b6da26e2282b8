import { killDuringTurns, type KilledTurnsOptions } from '../../test/kit/kills/turns/many-turns.ts';
import type { SoakTally } from './run.ts';

/** Model requests that crashes may cost. */
const maxMore = 0.05;

/** Kills a host in the middle of hundreds of turns with six calls each. */
export async function killTurns(tally: SoakTally): Promise<void> {
  await kill(tally, 'turns', { turns: 500, kills: 30 });
}

/** The same with two hosts that share their state on Postgres, and one bot. */
export async function killSharedTurns(tally: SoakTally): Promise<void> {
  await kill(tally, 'turns of two hosts', { turns: 160, kills: 20, hosts: 2 });
}

async function kill(
  { counts, failures }: SoakTally,
  name: string,
  options: KilledTurnsOptions,
): Promise<void> {
  const tally = await killDuringTurns(options);
  const { turns } = options;
  counts.set(`${name} through kills`, tally.ended);
  counts.set(`${name}: calls that were cut off`, tally.uncertainCalls);
  const more = tally.modelRequests / tally.modelRequestsWanted - 1;
  counts.set(`${name}: model requests made again`, tally.modelRequests - tally.modelRequestsWanted);
  const { answeredTwice, lost, effectsTwice, effectsMissing, uncertainWithoutCause, leftBehind } = tally;
  const wrong = { answeredTwice, lost, effectsTwice, effectsMissing, uncertainWithoutCause, leftBehind };
  for (const [what, times] of Object.entries(wrong))
    if (times > 0) failures.push(`${name}: ${what} ${times} times`);
  if (tally.ended !== turns) failures.push(`${name}: ${turns - tally.ended} did not end`);
  if (more > maxMore) failures.push(`${name}: ${(more * 100).toFixed(1)} % more model requests`);
}
