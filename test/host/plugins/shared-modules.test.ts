import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importPlugin } from '../../../host/plugins/loading/import.ts';
import type { PluginManifest } from '../../../host/plugins/loading/manifest.ts';
import { temporaryFolder } from '../../kit/homes/plugin-home.ts';

const manifestOf = (folder: string): PluginManifest =>
  ({
    id: 'p',
    folder,
    entry: 'index.ts',
    path: join(folder, 'plugin.yaml'),
    builtin: true,
  }) as PluginManifest;

test('a folder of modules that another replaces counts as a change, and one that nothing imports any more does not', async () => {
  const folder = temporaryFolder();
  const load = (): Promise<unknown> => importPlugin(manifestOf(folder), false);
  const shared = async (): Promise<boolean> => (await load()) === (await load());
  for (const name of ['used', 'next']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'name.ts'), `export const name = '${name}';`);
  }
  const index = join(folder, 'index.ts');
  writeFileSync(index, `import { name } from './used/name.ts'; export default { setup: () => ({}), name };`);
  await expect.poll(shared).toBe(true);
  renameSync(join(folder, 'used'), join(folder, 'before'));
  renameSync(join(folder, 'next'), join(folder, 'used'));
  expect(await load()).toMatchObject({ name: 'next' });
  await expect.poll(shared).toBe(true);
  writeFileSync(index, `export default { setup: () => ({}), name: 'none' };`);
  rmSync(join(folder, 'used'), { recursive: true });
  expect(await load()).toMatchObject({ name: 'none' });
  await expect.poll(shared).toBe(true);
});

test('hosts of one process share the code of a built-in plugin until it changes, fails or is reloaded', async () => {
  const folder = temporaryFolder();
  const manifest = manifestOf(folder);
  const load = (isReload = false): Promise<unknown> => importPlugin(manifest, isReload);
  const write = (setup: string): void => {
    writeFileSync(join(folder, 'setup.ts'), setup);
    writeFileSync(join(folder, 'index.ts'), `import { setup } from './setup.ts'; export default { setup };`);
  };
  const shared = async (): Promise<boolean> => (await load()) === (await load());

  write('export const setup = () => ({});');
  const first = await load();
  // A file that was written just before it was loaded counts as changed.
  await expect.poll(shared).toBe(true);
  const second = await load();
  expect(second).not.toBe(await load(true));

  write('export const setup = 1; throw new Error("broken");');
  await expect(load()).rejects.toThrow('broken');
  await expect(load()).rejects.toThrow('broken');
  write('export const setup = () => ({});');
  expect(await load()).not.toBe(first);
  await expect.poll(shared).toBe(true);
});
