import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { createSessions } from '../../../../host/store/conversations/sessions.ts';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { checkIdentity, migrate } from '../../../../host/store/database/migrate.ts';
import {
  newestOf,
  sqliteMigrations,
  type Migrations,
} from '../../../../host/store/database/tables/migrations.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';
import type { Reader } from '../../../kit/cli.ts';
import { findReader, makeReadOnly } from '../../../kit/homes/read-only.ts';

const cli = { source: 'cli', externalId: 'cli' };
const fileIn = (home: { readonly path: string }): string => join(home.path, 'data/pegboard.db');
/** A migration that a later Pegboard might bring. */
const laterWith = (script: string): Migrations => ({
  ...sqliteMigrations,
  scripts: [...sqliteMigrations.scripts, script],
});
const later = laterWith(`alter table conversations add column colour text;`);
const version = newestOf(sqliteMigrations);

test('a database that nobody uses is not made, and a reader makes none', async () => {
  await using home = await createUnusedHome();
  await using database = createDatabase(fileIn(home));
  expect(await database.existing()).toBeUndefined();
  expect(await createSessions(database).list()).toEqual([]);
  expect(existsSync(join(home.path, 'data'))).toBe(false);
});

test('the first use makes a file that is for its owner alone', async () => {
  await using home = await createUnusedHome();
  await using database = createDatabase(fileIn(home));
  await createConversations(database).getOrCreate(cli);
  expect((await stat(join(home.path, 'data'))).mode & 0o777).toBe(0o700);
  const modes = await Promise.all(
    ['', '-wal', '-shm'].map(async (end) => (await stat(`${fileIn(home)}${end}`)).mode & 0o777),
  );
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

test('what was stored is there after closing and opening again', async () => {
  await using home = await createUnusedHome();
  const open = async (): Promise<number> => {
    await using database = createDatabase(fileIn(home));
    return (await createConversations(database).getOrCreate(cli)).id;
  };
  expect(await open()).toBe(await open());
  expect(await readdir(join(home.path, 'data'))).toEqual(['pegboard.db']);
});

test('use after the end is an error, and the file stays closed', async () => {
  await using home = await createUnusedHome();
  const database = createDatabase(fileIn(home));
  await database[Symbol.asyncDispose]();
  await expect(database.open()).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringMatching(/was closed/) as string,
  });
  expect(existsSync(fileIn(home))).toBe(false);
});

test('two transactions at once wait for each other, and a query for both', async () => {
  await using home = await createUnusedHome();
  await using database = createDatabase(fileIn(home));
  const conversations = createConversations(database);
  const started = await Promise.all(Array.from({ length: 10 }, () => conversations.startNew(cli)));
  expect(new Set(started.map(({ id }) => id)).size).toBe(10);
  expect(started.map(({ id }) => id)).toContain((await conversations.getOrCreate(cli)).id);
});

test.skipIf(!existsSync('/proc/locks'))(
  'a second opening in one process leaves the locks of the first',
  async () => {
    await using home = await createUnusedHome();
    await using first = createDatabase(fileIn(home));
    await createConversations(first).getOrCreate(cli);
    const { ino } = await stat(fileIn(home));
    // Another file system may have the same number for a file of another test.
    const isOurs = (line: string): boolean => line.includes(` ${process.pid} `) && line.includes(`:${ino} `);
    const locks = async (): Promise<readonly string[]> =>
      (await readFile('/proc/locks', 'utf8')).split('\n').filter(isOurs);
    expect(await locks()).toHaveLength(1);
    const second = createDatabase(fileIn(home));
    await second.open();
    await second[Symbol.asyncDispose]();
    expect(await locks()).toHaveLength(1);
  },
);

test('an older database is copied to backups/ and brought up to date', async () => {
  await using home = await createUnusedHome();
  {
    await using database = createDatabase(fileIn(home));
    await createConversations(database).getOrCreate(cli);
  }
  await using database = createDatabase(fileIn(home), { migrations: later });
  const rows = await (await database.open()).selectFrom('conversations').selectAll().execute();
  expect(rows).toMatchObject([{ source: 'cli', colour: null }]);

  const folder = join(home.path, 'data/backups');
  const copy = `pegboard-version-${version}.db`;
  expect(await readdir(folder)).toEqual([copy]);
  expect((await stat(join(folder, copy))).mode & 0o777).toBe(0o600);
  await using backup = createDatabase(join(folder, copy));
  expect(await (await backup.open()).selectFrom('conversations').selectAll().execute()).toHaveLength(1);
});

test('a migration that fails changes nothing, and says where the copy is', async () => {
  await using home = await createUnusedHome();
  {
    await using database = createDatabase(fileIn(home));
    await createConversations(database).getOrCreate(cli);
  }
  const broken = laterWith('create table half (id integer); delete from conversations; select nonsense');
  await using database = createDatabase(fileIn(home), { migrations: broken });
  await expect(database.open()).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringMatching(
      new RegExp(
        `version ${version} to ${version + 1}: no such column: nonsense.*Nothing was changed.*backups/pegboard-version-${version}\\.db`,
      ),
    ) as string,
  });
  await using again = createDatabase(fileIn(home));
  expect(await (await again.open()).selectFrom('conversations').selectAll().execute()).toHaveLength(1);
});

test('a database of a newer Pegboard is refused and left as it is', async () => {
  await using home = await createUnusedHome();
  {
    await using database = createDatabase(fileIn(home), { migrations: later });
    await database.open();
  }
  const before = await readFile(fileIn(home));
  await using database = createDatabase(fileIn(home));
  await expect(database.open()).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringContaining(
      `newer Pegboard: its version is ${version + 1}, and this one knows ${version}`,
    ) as string,
  });
  expect(await readFile(fileIn(home))).toEqual(before);
});

test('one that another process makes at the moment of looking is no strange one', async () => {
  await using home = await createUnusedHome({ 'data/x': '' });
  const path = fileIn(home);
  using looking = new DatabaseSync(path);
  let looks = 0;
  const prepare = (sql: string): StatementSync => {
    if (looks++ === 1) {
      using making = new DatabaseSync(path);
      migrate(making, path, sqliteMigrations);
    }
    return looking.prepare(sql);
  };
  checkIdentity({ prepare } as DatabaseSync, path, sqliteMigrations);
  expect(looks).toBeGreaterThan(1);
});

test("somebody else's database is refused and left as it is", async () => {
  await using home = await createUnusedHome();
  await mkdir(join(home.path, 'data'));
  using other = new DatabaseSync(fileIn(home));
  other.exec('create table shopping (item text)');
  const before = await readFile(fileIn(home));
  await using database = createDatabase(fileIn(home));
  await expect(database.open()).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringMatching(/not one of Pegboard/) as string,
  });
  expect(await readFile(fileIn(home))).toEqual(before);
});

test.for([
  ['no database at all', async (file: string) => await writeFile(file, 'once upon a time '.repeat(500))],
  [
    'one with a destroyed page',
    async (file: string) => {
      const bytes = await readFile(file);
      bytes.fill(0xa5, 100, bytes.length);
      await writeFile(file, bytes);
    },
  ],
] as const)('a damaged file (%s) is named, with what to do', async ([, damage]) => {
  await using home = await createUnusedHome();
  {
    await using database = createDatabase(fileIn(home));
    await createConversations(database).getOrCreate(cli);
  }
  await damage(fileIn(home));
  await using database = createDatabase(fileIn(home));
  await expect(createConversations(database).getOrCreate(cli)).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringMatching(/pegboard\.db is damaged .*no backup of it\. Nothing was changed/s),
  });
});

test('a folder where the file should be is an error that says so', async () => {
  await using home = await createUnusedHome({ 'data/pegboard.db/readme': '' });
  await using database = createDatabase(fileIn(home));
  await expect(database.open()).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringMatching(/can't be created or written/) as string,
  });
});

test('a home that may not be written to is read as it is', async ({ skip }) => {
  const reader = findReader();
  skip(reader.impossible !== undefined, reader.impossible);
  await using home = await createUnusedHome();
  {
    await using database = createDatabase(fileIn(home));
    const conversations = createConversations(database);
    const { id } = await conversations.getOrCreate(cli);
    await using turn = await conversations.openTurn(id, { text: 'hello', agent: 'a' });
    await turn.finish('hi');
  }
  using _ = makeReadOnly(home.path);
  expect(await readAs(reader, fileIn(home))).toEqual(['hello']);
  expect(await readdir(join(home.path, 'data'))).toEqual(['pegboard.db']);
});

async function readAs({ prefix, ids }: Reader, file: string): Promise<unknown> {
  const [execPath, ...execArgv] = [...prefix, process.execPath];
  const options = { execPath, execArgv, ...ids };
  const child = fork(join(import.meta.dirname, '../fixtures/read-home.ts'), [file], options);
  const ended = once(child, 'exit');
  const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  await ended;
  return answer?.[0];
}
