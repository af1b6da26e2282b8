import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../host/core/files/paths.ts';
import { createHome, manifest } from '../kit/homes/home.ts';

/** Notes each file that a process loads, and prints them on its third stream at its end. */
const noting = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const loaded = new Set();
  registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
  process.on('exit', () => writeSync(3, JSON.stringify([...loaded])));
`)}`;

function loadedBy(home: string, args: readonly string[]): readonly string[] {
  const main = join(packageRoot, 'host/main.ts');
  const { output, status } = spawnSync(
    process.execPath,
    ['--import', noting, main, '--home', home, ...args],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      maxBuffer: 1e8,
    },
  );
  expect(status).toBe(0);
  const loaded = JSON.parse(String(output[3])) as readonly string[];
  return loaded.filter((url) => url.startsWith('file:'));
}

const ofPlugins = (loaded: readonly string[]): readonly string[] =>
  loaded.filter((url) => url.includes('/plugins/builtin-'));

test('a call of a tool of a file loads no plugin, and what it loads stays bounded', async () => {
  await using home = await createHome({
    'spaces/my/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
  const loaded = loadedBy(home.path, ['call', 'greet']);
  expect(ofPlugins(loaded)).toEqual([]);
  expect(loaded.length, 'load what not every call needs where it is used').toBeLessThanOrEqual(545);
  expect(loaded.length, 'fewer: lower the number').toBeGreaterThan(520);
});

test('help of a command of a plugin loads none of the plugin', async () => {
  await using home = await createHome();
  expect(ofPlugins(loadedBy(home.path, ['run', '--help']))).toEqual([]);
});
