import { expect, test } from 'vitest';
import { killRepeatedly, randomMoment } from '../../kit/kills/lives.ts';
import { rounds } from '../../kit/run/tiers.ts';

/** PEGBOARD_SOAK_FROM=17 begins with that seed. */
const seeds = rounds({ all: 40, soak: 2_000 });
const from = Number(process.env['PEGBOARD_SOAK_FROM'] ?? 1);

test(
  `killed with SIGKILL at ${seeds} random moments, no acknowledged write is lost and no schedule runs twice`,
  { timeout: seeds * 3_000 },
  async () => {
    const tally = await killRepeatedly(Array.from({ length: seeds }, (_, at) => randomMoment(from + at)));
    expect(tally.violations).toEqual([]);
    expect(tally).toMatchObject({ kills: seeds });
    expect(tally.acknowledged).toBeGreaterThan(seeds);
    expect(tally.fires).toBeGreaterThan(seeds);
    expect(tally.cutOff, 'some schedules were cut off in the middle').toBeGreaterThan(0);
  },
);
