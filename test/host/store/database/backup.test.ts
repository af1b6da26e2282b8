import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpHome, restoreHome } from '../../../../host/store/database/backup.ts';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { lockHome } from '../../../../host/store/files/home-lock.ts';
import { openSecrets } from '../../../../host/store/secrets/secrets.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createUnusedHome, manifest } from '../../../kit/homes/home.ts';

const files = { 'spaces/s/agent/tools/hi.md': manifest('hi', 'command: echo hi') };

test('a backup of a home in use comes back on another machine as it was', async () => {
  await using home = await createUnusedHome(files);
  await using elsewhere = await createUnusedHome();
  const folder = join(elsewhere.path, 'copy');
  {
    await using database = createDatabase(databaseFileOf(home.path));
    await createConversations(database).getOrCreate({ source: 'cli', externalId: 'one' });
    await openSecrets(join(home.path, 'data/secrets/secrets.json'), { onValue: () => {} }).set(
      'T',
      'x',
      'owner',
    );
    backUpHome(home.path, folder, '1.0.0');
    // Later changes are not in it.
    await createConversations(database).getOrCreate({ source: 'cli', externalId: 'two' });
  }
  expect(existsSync(join(folder, 'data/secrets'))).toBe(false);
  await using clean = await createUnusedHome();
  restoreHome(folder, clean.path, join(clean.path, 'data/backups/before'), '1.0.0');
  expect(await clean.read('spaces/s/agent/tools/hi.md')).toBe(files['spaces/s/agent/tools/hi.md']);
  await using database = createDatabase(databaseFileOf(clean.path));
  const rows = await (await database.open()).selectFrom('conversations').select('external_id').execute();
  expect(rows).toEqual([{ external_id: 'one' }]);
});

test('a damaged backup is refused before anything is changed, and a folder that is none as well', async () => {
  await using home = await createUnusedHome(files);
  await using elsewhere = await createUnusedHome();
  const folder = join(elsewhere.path, 'copy');
  backUpHome(home.path, folder, '1.0.0');
  appendFileSync(join(folder, 'pegboard.yaml'), '# changed\n');
  const before = readdirSync(home.path);
  expect(() => restoreHome(folder, home.path, join(home.path, 'aside'), '1.0.0')).toThrow(
    /damaged: pegboard\.yaml/,
  );
  expect(() => restoreHome(elsewhere.path, home.path, join(home.path, 'aside'), '1.0.0')).toThrow(
    'is not a backup',
  );
  expect(readdirSync(home.path)).toEqual(before);
});

test('by the command line: backup, a change, restore; what was there is kept aside', async () => {
  await using home = await createUnusedHome(files);
  await using elsewhere = await createUnusedHome();
  const folder = join(elsewhere.path, 'copy');
  expect(await pegboard(['backup', folder], { home: home.path })).toMatchObject({ code: 0 });
  await home.write('spaces/s/agent/tools/hi.md', 'broken');
  expect(await pegboard(['restore', folder], { home: home.path })).toMatchObject({ code: 0 });
  expect((await pegboard(['call', 'hi'], { home: home.path })).stdout).toBe('hi\n');
  const [aside] = readdirSync(join(home.path, 'data/backups'));
  expect(await home.read(`data/backups/${aside}/spaces/s/agent/tools/hi.md`)).toBe('broken');
  // And back again.
  const before = join(home.path, 'data/backups', aside!);
  expect(await pegboard(['restore', before], { home: home.path })).toMatchObject({ code: 0 });
  expect(await home.read('spaces/s/agent/tools/hi.md')).toBe('broken');
});

test('nothing is restored under a process that has the database open', async () => {
  await using home = await createUnusedHome({
    ...files,
    '.gitignore': 'data/\n',
    '.vscode/settings.json': '{}',
  });
  await using elsewhere = await createUnusedHome();
  const folder = join(elsewhere.path, 'copy');
  const database = createDatabase(databaseFileOf(home.path));
  await database.open();
  expect(await pegboard(['backup', folder], { home: home.path })).toMatchObject({ code: 0 });
  await home.write('.gitignore', 'changed');
  expect(await pegboard(['restore', folder], { home: home.path })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`Another Pegboard uses ${home.path}: stop it first`) as string,
  });
  expect(await home.read('.gitignore')).toBe('changed');
  await database[Symbol.asyncDispose]();
  expect(await pegboard(['restore', folder], { home: home.path })).toMatchObject({ code: 0 });
  expect(await home.read('.gitignore')).toBe('data/\n');
  expect(await home.read('.vscode/settings.json')).toBe('{}');
});

test('a pipe has nothing to back up, and a folder that can be no backup is refused in words', async () => {
  await using home = await createUnusedHome(files);
  await using elsewhere = await createUnusedHome();
  execFileSync('mkfifo', [join(home.path, 'spaces/s/pipe')]);
  const folder = join(elsewhere.path, 'copy');
  expect(await pegboard(['backup', folder], { home: home.path })).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, 'spaces/s'))).toEqual(['agent']);
  const inside = await pegboard(['backup', join(home.path, 'spaces/copy')], { home: home.path });
  expect(inside).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/lies in .*spaces, which is part of the backup/) as string,
  });
  expect(readdirSync(join(home.path, 'spaces'))).toEqual(['s']);
  await elsewhere.write('file', '');
  const below = await pegboard(['backup', join(elsewhere.path, 'file/copy')], { home: home.path });
  expect(below).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/file\/copy can't be there: a file is in the place of a folder/) as string,
  });
});

test('of two long-running hosts on one home the second is refused, and named the first', async () => {
  await using home = await createUnusedHome();
  const path = join(home.path, 'data/host.lock');
  {
    using _first = await lockHome(path);
    const second = await pegboard(['start'], { home: home.path });
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`in use by a host (process ${process.pid} on`);
  }
  expect(existsSync(path)).toBe(false);
});

test('what a killed host left behind is taken over', async () => {
  await using home = await createUnusedHome();
  await home.write('data/host.lock', JSON.stringify({ owner: 'x', since: '' }).slice(0, 9));
  using _lock = await lockHome(join(home.path, 'data/host.lock'));
  expect(await home.read('data/host.lock')).toContain(String(process.pid));
});
