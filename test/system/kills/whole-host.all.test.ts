import { expect, test } from 'vitest';
import { killWholeHosts } from '../../kit/kills/whole-host/lives.ts';
import { rounds } from '../../kit/run/tiers.ts';

/** PEGBOARD_SOAK_FROM=17 begins with that seed. */
const kills = rounds({ all: 5, soak: 500 });
const from = Number(process.env['PEGBOARD_SOAK_FROM'] ?? 1);

test(
  `pegboard start, killed with SIGKILL ${kills} times while it does everything at once, loses nothing and does nothing twice`,
  { timeout: 120_000 + kills * 10_000 },
  async () => {
    const tally = await killWholeHosts(Array.from({ length: kills }, (_, at) => from + at));
    expect(tally.violations).toEqual([]);
    expect(tally).toMatchObject({ kills, givenUp: 0 });
    expect(tally.asks).toBeGreaterThan(kills);
    expect(tally.acknowledged).toBeGreaterThan(kills);
    expect(tally.fires, 'schedules ran').toBeGreaterThan(0);
    expect(tally.uncertain, 'some work was cut off in the middle').toBeGreaterThan(0);
  },
);
