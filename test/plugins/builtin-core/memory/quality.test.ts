import { expect, test } from 'vitest';
import { readConversations, readForeignQuestions } from '../../../../bench/memory/conversations.ts';
import { measure, shareOfNothing } from '../../../../bench/memory/measure.ts';
import { createPostgresDatabase } from '../../../../host/store/database/postgres/database.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';
import { pegboard, plain } from '../../../../bench/memory/sides.ts';

const conversations = readConversations();
const apart = conversations.map((each) => [each]);

test('past messages are found better than by plain full text, and nearly as well among all conversations', async () => {
  const each = await measure(apart, { plain, pegboard }, { runs: 1 });
  const together = await measure([conversations], { plain, pegboard }, { runs: 1 });
  expect(each.pegboard.all.at10).toBeGreaterThan(1.15 * each.plain.all.at10);
  expect(each.pegboard.all.packed).toBeGreaterThan(1.15 * each.plain.all.packed);
  expect(together.pegboard.all.at10).toBeGreaterThan(1.15 * together.plain.all.at10);
  expect(together.pegboard.all.at10).toBeGreaterThan(each.pegboard.all.at10 - 0.03);
});

test('most questions about other matters are answered with nothing', async () => {
  const foreign = readForeignQuestions();
  expect(await shareOfNothing(apart, foreign, pegboard)).toBeGreaterThan(0.8);
  expect(await shareOfNothing([conversations], foreign, pegboard)).toBeGreaterThan(0.6);
});

describePostgres('on Postgres', () => {
  test('past messages are found as well as on SQLite', async () => {
    const open = async () => createPostgresDatabase(await postgresUrl());
    const file = await measure([conversations], { pegboard }, { runs: 1 });
    const server = await measure([conversations], { pegboard }, { runs: 1, open });
    for (const figure of ['at5', 'at10', 'packed'] as const)
      expect(Math.abs(server.pegboard.all[figure] - file.pegboard.all[figure]), figure).toBeLessThan(0.02);
  });
});
