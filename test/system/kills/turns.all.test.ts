import { expect, test } from 'vitest';
import { faultless, killDuringTurns, people } from '../../kit/kills/turns/many-turns.ts';
import { rounds } from '../../kit/run/tiers.ts';

const turns = rounds({ all: 50, soak: 500 });
const kills = rounds({ all: 3, soak: 30 });

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
