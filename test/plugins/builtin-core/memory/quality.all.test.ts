import { expect, test } from 'vitest';
import { readConversations } from '../../../../bench/memory/conversations.ts';
import { measure } from '../../../../bench/memory/measure.ts';
import { pegboard } from '../../../../bench/memory/sides.ts';
import { createPostgresDatabase } from '../../../../host/store/database/postgres/database.ts';
import { describePostgres, postgresUrl } from '../../../kit/postgres.ts';

describePostgres('on Postgres', () => {
  test('past messages are found as well as on SQLite', async () => {
    const open = async () => createPostgresDatabase(await postgresUrl());
    const file = await measure([readConversations()], { pegboard }, { runs: 1 });
    const server = await measure([readConversations()], { pegboard }, { runs: 1, open });
    for (const figure of ['at5', 'at10', 'packed'] as const)
      expect(Math.abs(server.pegboard.all[figure] - file.pegboard.all[figure]), figure).toBeLessThan(0.02);
  });
});
