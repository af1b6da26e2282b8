import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importPlugin } from '../../../host/plugins/loading/import.ts';
import type { PluginManifest } from '../../../host/plugins/loading/manifest.ts';
import { temporaryFolder } from '../../kit/homes/plugin-home.ts';

test('hosts of one process share the code of a built-in plugin until it changes, fails or is reloaded', async () => {
  const folder = temporaryFolder();
  const manifest = {
    id: 'p',
    folder,
    entry: 'index.ts',
    path: join(folder, 'plugin.yaml'),
    builtin: true,
  } as PluginManifest;
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
