import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { describeOrigins } from '../../../../host/dispatch/provenance/describe-origins.ts';
import { foldOrigins, shortIdentity } from '../../../../host/store/files/fold-origins.ts';
import { createFileOrigins } from '../../../../host/store/files/file-origins.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';

test('a copy of foreign content names its file as well as its origin', async () => {
  await using home = await createUnusedHome({ 'data/keep': '' });
  const outside = { kind: 'file', what: '/elsewhere/notes.txt' } as const;
  const copy = await home.write('spaces/x/made.txt', 'x');
  const files = createFileOrigins(home.path, processSurroundings());
  await files.note(copy, outside);
  const found = files.within(join(home.path, 'spaces/x'))!;
  expect(describeOrigins([found])).toBe('file /elsewhere/notes.txt, kept in spaces/x/made.txt');
  expect(files.namedIn('cat made.txt')).toEqual(found);

  // A copy of the copy, and one that was moved.
  const second = await home.write('spaces/x/second.txt', 'x');
  await files.note(second, found);
  expect(files.of(second)).toEqual({ ...outside, keptIn: 'spaces/x/second.txt' });
  await rename(second, join(home.path, 'moved.txt'));
  expect(files.of(join(home.path, 'moved.txt'))).toEqual({ ...outside, keptIn: 'moved.txt' });
});

test('a mark stays when a command has written thousands of files elsewhere, and removed others', async () => {
  await using home = await createUnusedHome({ 'data/keep': '' });
  const page = { kind: 'web', what: 'https://evil.example/' } as const;
  const files = createFileOrigins(home.path, processSurroundings());
  const kept = await home.write('notes/kept.md', 'x');
  const alone = await home.write('alone/one.md', 'x');
  const gone = await home.write('play/gone.md', 'x');
  await files.note(kept, page);
  await files.note(alone, page);
  await files.note(gone, page);
  await rename(gone, join(home.path, 'moved.md'));
  // In folders that were there before, and not so many in each that it stands for them anyway.
  const later = new Date(Date.now() + 60_000);
  for (let folder = 0; folder < 66; folder++) {
    mkdirSync(join(home.path, `work/${folder}`), { recursive: true });
    for (let file = 0; file < 80; file++) {
      const path = join(home.path, `work/${folder}/${file}.txt`);
      writeFileSync(path, 'x');
      utimesSync(path, later, later);
    }
  }
  const command = { command: 'make', cwd: join(home.path, 'work') };
  await files.noteWritten(command, later.getTime(), page);
  expect((JSON.parse(await home.read('data/file-origins.json')) as object[]).length).toBeLessThan(5_000);
  const again = createFileOrigins(home.path, processSurroundings());
  for (const name of ['notes/kept.md', 'alone/one.md', 'moved.md', 'work/0/1.txt', 'work/65/79.txt'])
    expect(again.of(join(home.path, name)), name).toMatchObject(page);
  expect(again.of(await home.write('own.md', 'mine'))).toBeUndefined();
});

const entry = (path: string, more: object = {}) =>
  ({ path, file: `id of ${path}`, origin: { kind: 'web', what: 'a' }, ...more }) as const;
const identityOf = (path: string): string => `id of ${path}`;

test('the fullest folders stand for their files, whose identities they keep', () => {
  const many = Array.from({ length: 9 }, (_, n) => entry(`/h/many/${n}`));
  const [few, other] = [entry('/h/few/1'), entry('/h/other/1', { origin: { kind: 'web', what: 'b' } })];
  const folded = foldOrigins([few, ...many, other], 10, identityOf);
  expect(folded).toEqual([
    few,
    { ...entry('/h/many'), files: many.map(({ file }) => shortIdentity(file)) },
    other,
  ]);
  // Single files of many folders, of different origins, and what is gone.
  const scattered = Array.from({ length: 8 }, (_, n) =>
    entry(`/h/${n}/x`, { origin: { kind: 'web', what: String(n) } }),
  );
  const lost = Array.from({ length: 8 }, (_, n) => entry(`/g/${n}`, { gone: true }));
  const all = foldOrigins([...scattered, ...lost], 4, identityOf);
  expect(all.length).toBeLessThanOrEqual(4);
  expect(all.flatMap(({ files = [] }) => files)).toEqual(
    expect.arrayContaining([...scattered, ...lost].map(({ file }) => shortIdentity(file))),
  );
  expect(all.filter(({ gone }) => !gone)).toMatchObject([
    { path: '/h', origin: { kind: 'file', what: '/h' } },
  ]);
});

test('other hosts’ entries are folded among themselves', () => {
  const entries = ['a', 'b'].flatMap((place) =>
    Array.from({ length: 5 }, (_, n) => entry(`/h/many/${n}`, { place })),
  );
  expect(foldOrigins(entries, 5, identityOf).map(({ place, path }) => [place, path])).toEqual([
    ['a', '/h/many'],
    ['b', '/h/many'],
  ]);
});
