import { killWholeHosts } from '../../test/kit/kills/whole-host/lives.ts';
import type { SoakTally } from './run.ts';

const kills = 200;

/** Kills hosts under mixed load. */
export async function killHosts({ counts, failures }: SoakTally): Promise<void> {
  const tally = await killWholeHosts(Array.from({ length: kills }, (_, at) => at + 1));
  counts.set('hosts killed at work', tally.kills);
  counts.set('messages to them', tally.asks);
  counts.set('actions acknowledged by them', tally.acknowledged);
  counts.set('interruptions reported as such', tally.uncertain);
  counts.set('turns given up by them', tally.givenUp);
  failures.push(...tally.violations);
}
