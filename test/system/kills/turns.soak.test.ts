import { expect, test } from 'vitest';
import { faultless, killDuringTurns } from '../../kit/kills/turns/many-turns.ts';
import { describePostgres } from '../../kit/postgres.ts';

/** Model requests that crashes may cost, of those without a crash. */
const maxMore = 0.05;

describePostgres('two hosts that share a bot and a Postgres', () => {
  test('160 turns end although one of them is killed 20 times, and no call has its effect twice', async () => {
    const tally = await killDuringTurns({ turns: 160, kills: 20, hosts: 2 });
    expect(tally).toMatchObject({ kills: 20, ended: 160, ...faultless });
    expect(tally.modelRequests / tally.modelRequestsWanted - 1).toBeLessThan(maxMore);
  });
});
