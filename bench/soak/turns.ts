import { killDuringTurns } from '../../test/kit/kills/turns/many-turns.ts';
import type { SoakTally } from './run.ts';

const turns = 500;
const kills = 30;
/** Model requests that crashes may cost. */
const maxMore = 0.05;

/** Kills a host in the middle of hundreds of turns with six calls each. */
export async function killTurns({ counts, failures }: SoakTally): Promise<void> {
  const tally = await killDuringTurns(turns, kills);
  counts.set('turns through kills', tally.ended);
  counts.set('calls of theirs that were cut off', tally.uncertainCalls);
  const more = tally.modelRequests / tally.modelRequestsWanted - 1;
  counts.set('model requests that were made again', tally.modelRequests - tally.modelRequestsWanted);
  const { answeredTwice, lost, effectsTwice, effectsMissing, leftBehind } = tally;
  const wrong = { answeredTwice, lost, effectsTwice, effectsMissing, leftBehind };
  for (const [what, times] of Object.entries(wrong))
    if (times > 0) failures.push(`turns: ${what} ${times} times`);
  if (tally.ended !== turns) failures.push(`turns: ${turns - tally.ended} did not end`);
  if (more > maxMore) failures.push(`turns: ${(more * 100).toFixed(1)} % more model requests`);
}
