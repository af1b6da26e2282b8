import { expect, test } from 'vitest';
import { faultless, killDuringTurns, people } from '../../kit/kills/turns/many-turns.ts';

/** A share of 500 turns and 30 kills: `npm run soak` does all of them. */
const share = Number(process.env['PEGBOARD_TURNS_SHARE'] ?? 0.1);
const turns = Math.round(500 * share);
const kills = Math.ceil(30 * share);

test(
  `${turns} turns of six calls end although their host is killed ${kills} times, and no call has its effect twice`,
  { timeout: 120_000 + kills * 10_000 },
  async () => {
    const tally = await killDuringTurns({ turns, kills });
    expect(tally).toMatchObject({ kills, ended: turns, ...faultless });
    // A kill costs at most the request that is under way in each chat.
    expect(tally.modelRequests - tally.modelRequestsWanted).toBeLessThanOrEqual(kills * people);
  },
);
