import { killWholeHosts } from '../../test/kit/kills/whole-host/lives.ts';
import type { SoakTally } from './run.ts';

const kills = 200;

/** Kills hosts under mixed load. */
export async function killHosts({ counts, wrong }: SoakTally): Promise<void> {
  const tally = await killWholeHosts(Array.from({ length: kills }, (_, at) => at + 1));
  counts.set('hosts killed at work', tally.kills);
  counts.set('messages to them', tally.asks);
  counts.set('what they acknowledged', tally.acknowledged);
  counts.set('what a kill cut off, and said so', tally.uncertain);
  wrong.push(...tally.wrong);
}
