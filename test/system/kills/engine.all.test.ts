import { expect, test } from 'vitest';
import { runChaos, type ChaosPlan } from '../../kit/engine/chaos/chaos.ts';
import { judge, nothingWrong } from '../../kit/engine/chaos/judge.ts';
import { describePostgres } from '../../kit/postgres.ts';

/** Small shares of what `npm run soak` does. */
const size = { conversations: 20, messages: 10, schedules: 6 };

async function expectNothingWrong(plan: ChaosPlan): Promise<void> {
  const { wrongs, messages, occurrences, disturbances } = judge(await runChaos(plan));
  expect(wrongs).toEqual(nothingWrong);
  expect(messages).toBe(size.conversations * size.messages);
  expect(occurrences).toBeGreaterThan(0);
  const { kills, freezes = 0, cuts = 0, crashes = 0 } = plan;
  expect(disturbances).toEqual({ kill: kills, freeze: freezes, cut: cuts, crash: crashes });
}

test(
  'a host on SQLite that is killed loses, repeats and reorders nothing',
  { timeout: 300_000 },
  async () => {
    await expectNothingWrong({ store: 'sqlite', hosts: 1, size, feedMs: 6_000, kills: 4 });
  },
);

describePostgres('three hosts on Postgres', () => {
  test(
    'lose, repeat and reorder nothing although they are killed and frozen',
    { timeout: 300_000 },
    async () => {
      await expectNothingWrong({ store: 'postgres', hosts: 3, size, feedMs: 16_000, kills: 2, freezes: 1 });
    },
  );

  test(
    'lose, repeat and reorder nothing although the network is cut and the database crashes',
    { timeout: 300_000 },
    async () => {
      await expectNothingWrong({
        store: 'postgres',
        hosts: 3,
        size,
        feedMs: 18_000,
        kills: 1,
        cuts: 1,
        crashes: 1,
      });
    },
  );
});
