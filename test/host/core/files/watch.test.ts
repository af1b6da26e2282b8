import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchTree, type WatchOptions } from '../../../../host/core/files/watch.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

/** Watches, and lets a test wait until a path was reported. */
function watching(root: string, options?: WatchOptions) {
  const told: string[] = [];
  const batches: (readonly string[])[] = [];
  let wake: (() => void) | undefined;
  const watcher = watchTree(
    root,
    (paths) => {
      told.push(...paths);
      batches.push(paths);
      wake?.();
    },
    options,
  );
  return {
    told,
    batches,
    async until(path: string): Promise<void> {
      while (!told.includes(path)) await new Promise<void>((resolve) => (wake = resolve));
      told.length = 0;
    },
    [Symbol.dispose]: () => watcher[Symbol.dispose](),
  };
}

test('a file that is written, replaced, renamed or deleted is reported', async () => {
  await using home = await createHome({ 'spaces/a/x.md': '1' });
  using watcher = watching(home.path);
  const at = (name: string): string => join(home.path, 'spaces/a', name);

  await writeFile(at('x.md'), '2');
  await watcher.until(at('x.md'));
  await writeFile(at('.x.tmp'), '3');
  await rename(at('.x.tmp'), at('x.md'));
  await watcher.until(at('x.md'));
  await rename(at('x.md'), at('y.md'));
  await watcher.until(at('y.md'));
  await rm(at('y.md'));
  await watcher.until(at('y.md'));
});

test('several events of one save are one batch', async () => {
  await using home = await createHome({ 'x.md': '1' });
  using watcher = watching(home.path);
  const path = join(home.path, 'x.md');
  writeFileSync(path, '');
  appendFileSync(path, 'a');
  appendFileSync(path, 'b');
  await watcher.until(path);
  expect(watcher.batches).toEqual([[path]]);
});

test('a folder that appears is watched with all that is in it', async () => {
  await using home = await createHome();
  using watcher = watching(home.path);
  await mkdir(join(home.path, 'spaces/new/agent/tools'), { recursive: true });
  await watcher.until(join(home.path, 'spaces'));
  const file = await home.write('spaces/new/agent/tools/x.md', '1');
  await watcher.until(file);
});

test('a folder that is moved in or away is reported, and watched at its new path', async () => {
  await using home = await createHome({ 'staging/tools/x.md': '1', 'spaces/a/y': '' });
  using watcher = watching(home.path);
  await rename(join(home.path, 'staging/tools'), join(home.path, 'spaces/a/tools'));
  await watcher.until(join(home.path, 'spaces/a/tools'));
  await writeFile(join(home.path, 'spaces/a/tools/x.md'), '2');
  await watcher.until(join(home.path, 'spaces/a/tools/x.md'));
  await rename(join(home.path, 'spaces/a/tools'), join(home.path, 'staging/tools'));
  await watcher.until(join(home.path, 'spaces/a/tools'));
});

test('a folder that is deleted and made again at once is still watched', async () => {
  await using home = await createHome({ 'tools/x.md': '1' });
  using watcher = watching(home.path);
  for (let round = 0; round < 5; round++) {
    await rm(join(home.path, 'tools'), { recursive: true });
    await mkdir(join(home.path, 'tools'));
    await watcher.until(join(home.path, 'tools'));
    await writeFile(join(home.path, 'tools/x.md'), String(round));
    await watcher.until(join(home.path, 'tools/x.md'));
  }
});

test('the root may be missing, come, vanish and come back', async () => {
  await using parent = await createHome();
  const root = join(parent.path, 'deep/home');
  using watcher = watching(root);
  for (let round = 0; round < 2; round++) {
    await mkdir(join(root, 'spaces'), { recursive: true });
    await watcher.until(root);
    await writeFile(join(root, 'spaces/x.md'), '1');
    await watcher.until(join(root, 'spaces/x.md'));
    await rm(join(parent.path, 'deep'), { recursive: true });
    await watcher.until(root);
  }
});

test('packages, history and what the host itself writes are ignored; its state is not', async () => {
  await using home = await createHome({
    'node_modules/p/index.js': '',
    'plugins/a/node_modules/q/index.js': '',
    '.git/HEAD': '',
    'data/logs/host.log': '',
    'data/state.json': '{}',
  });
  using watcher = watching(home.path);
  await home.write('node_modules/p/index.js', '1');
  await home.write('plugins/a/node_modules/q/index.js', '1');
  await home.write('.git/HEAD', '1');
  await home.write('data/logs/host.log', '1');
  await home.write('data/pegboard.db', '1');
  const state = await home.write('data/state.json', '{"a":1}');
  const seen = watcher.told;
  await waitUntil(
    () => seen,
    (all) => all.includes(state),
  );
  expect(seen).toEqual([state]);
});

test('what a link leads to is watched, and a link to a folder above it does not go round', async () => {
  await using elsewhere = await createHome({ 'x.md': '1' });
  await using home = await createHome({ 'tools/y.md': '1' });
  await symlink(join(elsewhere.path, 'x.md'), join(home.path, 'tools/x.md'));
  await symlink(home.path, join(home.path, 'tools/up'));
  using watcher = watching(home.path);
  await elsewhere.write('x.md', '2');
  await watcher.until(join(home.path, 'tools/x.md'));
  await home.write('tools/y.md', '2');
  await watcher.until(join(home.path, 'tools/y.md'));
});
