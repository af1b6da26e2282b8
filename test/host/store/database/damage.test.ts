import { existsSync, globSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { backUpHome } from '../../../../host/store/database/backup.ts';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { lockHome } from '../../../../host/store/files/home-lock.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createUnusedHome, type TestHome } from '../../../kit/homes/home.ts';

const text = (at: number): string => `message ${at} ${'of some length '.repeat(20)}`;

/** Stores so many messages in a home that its database has many pages. */
async function talk(home: TestHome, from: number, to: number): Promise<void> {
  await using database = createDatabase(databaseFileOf(home.path));
  const conversations = createConversations(database);
  const { id } = await conversations.getOrCreate({ source: 'cli', externalId: 'cli' });
  for (let at = from; at < to; at++) {
    await using turn = await conversations.openTurn(id, { text: text(at), agent: 'a' });
    await turn.finish('yes');
  }
}

async function messagesOf(home: TestHome, restored: string[]): Promise<number> {
  const options = { restored: (message: string) => void restored.push(message) };
  await using database = createDatabase(databaseFileOf(home.path), options);
  const rows = await (await database.open()).selectFrom('messages').selectAll().execute();
  return rows.length;
}

/** Overwrites a page of the table `messages` with noise, which opening the file doesn't detect. */
function spoilPage(file: string): void {
  using database = new DatabaseSync(file);
  const { pageno } = database
    .prepare("select pageno from dbstat where name = 'messages' and pagetype = 'leaf' order by pageno desc")
    .get() as { pageno: number };
  const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number };
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, (pageno - 1) * size, pageno * size);
  writeFileSync(file, bytes);
}

const damages: { readonly [name: string]: (file: string) => void } = {
  'cut in the middle': (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  'with a header of noise': (file) => {
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 0, 100);
    writeFileSync(file, bytes);
  },
  'that is no database at all': (file) => writeFileSync(file, 'once upon a time '.repeat(500)),
  'with a page of noise': spoilPage,
};

describe.for(Object.entries(damages))('a database %s', ([name, damage]) => {
  test('is replaced by its last backup at the start and kept, and the owner learns what is missing', async () => {
    await using home = await createUnusedHome();
    const file = databaseFileOf(home.path);
    await talk(home, 0, 20);
    backUpHome(home.path, join(home.path, 'data/backups/2026-01-01'), '1.0.0');
    await talk(home, 20, 60);
    const lateBackup = new Date().toISOString().slice(0, 10);
    damage(file);
    const damaged = readFileSync(file);

    const doctor = await pegboard(['doctor'], { home: home.path });
    expect(doctor.code).toBe(1);
    expect(doctor.stdout.replace(/\s+/g, ' ')).toMatch(/database .* is damaged .*puts the backup of/);
    expect(readFileSync(file)).toEqual(damaged);

    const restored: string[] = [];
    if (name === 'with a page of noise') {
      // Only a query detects it; the next process that opens the database checks all of it.
      await expect(messagesOf(home, restored)).rejects.toMatchObject({ code: 'PEG_DATABASE' });
      expect(restored).toEqual([]);
    }
    expect(await messagesOf(home, restored)).toBe(40);
    expect(restored).toEqual([expect.stringContaining(`The backup of ${lateBackup}`)]);
    expect(restored[0]).toContain('everything stored since then is missing');
    const [aside] = globSync('data/backups/damaged-*', { cwd: home.path });
    expect(readFileSync(join(home.path, aside!, 'pegboard.db'))).toEqual(damaged);
    expect(restored[0]).toContain(join(home.path, aside!));
    expect(await messagesOf(home, restored)).toBe(40);
    expect(restored).toHaveLength(1);
  });

  test('without a backup stays as it is, and the error says what to do', async () => {
    await using home = await createUnusedHome();
    const file = databaseFileOf(home.path);
    await talk(home, 0, 60);
    damage(file);
    const damaged = readFileSync(file);
    const { code, stderr } = await pegboard(['start'], { home: home.path });
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /pegboard\.db is damaged .*no backup of it\. Nothing was changed\..*pegboard restore FOLDER/,
    );
    expect(readFileSync(file)).toEqual(damaged);
    expect(existsSync(join(home.path, 'data/backups'))).toBe(false);
  });
});

test('a damaged backup is passed over for an older one', async () => {
  await using home = await createUnusedHome();
  await talk(home, 0, 20);
  backUpHome(home.path, join(home.path, 'data/backups/one'), '1.0.0');
  await talk(home, 20, 40);
  const newer = join(home.path, 'data/backups/two');
  backUpHome(home.path, newer, '1.0.0');
  truncateSync(join(newer, 'data/pegboard.db'), 5_000);
  truncateSync(databaseFileOf(home.path), 5_000);
  const { stderr, code } = await pegboard(['usage'], { home: home.path });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('warning: The database');
  expect(await messagesOf(home, [])).toBe(40);
});

test('while a host works on the home, nobody else puts anything in its place', async () => {
  await using home = await createUnusedHome();
  await talk(home, 0, 20);
  backUpHome(home.path, join(home.path, 'data/backups/one'), '1.0.0');
  using _host = await lockHome(join(home.path, 'data/host.lock'));
  truncateSync(databaseFileOf(home.path), 5_000);
  const { stderr, code } = await pegboard(['usage'], { home: home.path, apart: true });
  expect(code).toBe(1);
  expect(stderr).toContain(`process ${process.pid}`);
  expect(readFileSync(databaseFileOf(home.path))).toHaveLength(5_000);
});
