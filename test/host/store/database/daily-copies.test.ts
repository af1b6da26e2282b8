import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../../host/core/log.ts';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { copyDaily } from '../../../../host/store/database/daily-copies.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createUnusedHome, type TestHome } from '../../../kit/homes/home.ts';

async function say(home: TestHome, text: string): Promise<void> {
  await using database = createDatabase(databaseFileOf(home.path));
  const conversations = createConversations(database);
  const { id } = await conversations.getOrCreate({ source: 'cli', externalId: 'cli' });
  await using turn = await conversations.openTurn(id, { text, agent: 'a' });
  await turn.finish('yes');
}

const copiesOf = (home: TestHome): string[] =>
  globSync('daily-*', { cwd: join(home.path, 'data/backups') }).sort();

test('a copy for each day, those of a week are kept, and a day has one', async () => {
  await using home = await createUnusedHome();
  await say(home, 'hello');
  for (const day of [1, 2, 2, 3, 4, 5, 6, 7, 8, 9]) {
    const now = () => new Date(Date.UTC(2026, 4, day, 12));
    const name = `daily-2026-05-0${day}.db`;
    await using _copies = copyDaily(databaseFileOf(home.path), silentLogger, now);
    await expect.poll(() => copiesOf(home)).toContain(name);
  }
  expect(copiesOf(home)).toEqual([3, 4, 5, 6, 7, 8, 9].map((day) => `daily-2026-05-0${day}.db`));
});

test('a home in which nothing is stored yet gets none', async () => {
  await using home = await createUnusedHome();
  await copyDaily(databaseFileOf(home.path), silentLogger)[Symbol.asyncDispose]();
  expect(copiesOf(home)).toEqual([]);
});

test('pegboard start makes one, and a damaged database makes way for it', async () => {
  await using home = await createUnusedHome();
  await say(home, 'remember me');
  {
    await using host = startPegboard(['start'], { home: home.path });
    await host.waitFor(/running/);
    await expect.poll(() => copiesOf(home)).toEqual([expect.stringMatching(/^daily-[\d-]+\.db$/)]);
  }
  writeFileSync(databaseFileOf(home.path), 'no database');
  await using again = startPegboard(['start'], { home: home.path });
  expect(await again.waitFor(/running/)).toContain('replaced it');
  const { stdout } = await pegboard(['doctor', '--json'], { home: home.path });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
});
