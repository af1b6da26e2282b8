import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { rmSync } from 'node:fs';
import { createArtifacts } from '../../../../host/store/files/artifacts.ts';
import { temporaryFolder } from '../../../kit/homes/plugin-home.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = temporaryFolder();
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

test('an artifact is read by characters, from any place', async () => {
  const artifacts = createArtifacts(join(folder(), 'artifacts'));
  const id = await artifacts.write('äöü😀xyz');
  expect(id).toMatch(/^[A-Za-z0-9_-]{11}$/);
  expect(await artifacts.read(id, 3, 4)).toEqual({ text: '😀xy', offset: 3, total: 8 });
  expect(await artifacts.read(id, 100, 5)).toEqual({ text: '', offset: 100, total: 8 });
});

test('another host of the same home finds it', async () => {
  const place = folder();
  const id = await createArtifacts(place).write('kept');
  expect((await createArtifacts(place).read(id, 0, 10)).text).toBe('kept');
});

test('an artifact is for its owner only', async () => {
  const place = join(folder(), 'data/artifacts');
  const id = await createArtifacts(place).write('private');
  expect(statSync(join(place, `${id}.txt`)).mode & 0o777).toBe(0o600);
  expect(statSync(place).mode & 0o777).toBe(0o700);
});

test('an unknown id, also one that is a path, is refused with what to do', async () => {
  const place = folder();
  writeFileSync(join(place, 'secret.txt'), 'secret');
  const artifacts = createArtifacts(join(place, 'artifacts'));
  for (const id of ['nothing1', '../secret', '', 'x'.repeat(500)]) {
    await expect(artifacts.read(id, 0, 10)).rejects.toMatchObject({
      code: 'PEG_NO_ARTIFACT',
      message: expect.stringContaining('run the tool again'),
    });
  }
});

test('the oldest go when there is no more room, and what is too old goes', async () => {
  const place = folder();
  const artifacts = createArtifacts(place, { bytes: 25, ageMs: 60_000 });
  const ids: string[] = [];
  for (const age of [120, 30, 20, 10]) {
    const id = await artifacts.write('0123456789');
    utimesSync(join(place, `${id}.txt`), Date.now() / 1000 - age, Date.now() / 1000 - age);
    ids.push(id);
  }
  expect(readdirSync(place).sort()).toEqual([`${ids[2]}.txt`, `${ids[3]}.txt`].sort());
});

test('a folder that cannot be written rejects with the reason', async () => {
  const place = folder();
  writeFileSync(join(place, 'artifacts'), 'a file is in the way');
  await expect(createArtifacts(join(place, 'artifacts')).write('x')).rejects.toThrow(/EEXIST|ENOTDIR/);
});
