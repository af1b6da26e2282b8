import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cloneEntry, pegboard } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const listPackages = pathToFileURL(join(import.meta.dirname, 'fixtures/list-packages.ts')).href;

test('a command loads no package that it does not need', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
  });
  const packages = join(home.path, 'packages.json');
  const env = { NODE_OPTIONS: `--import ${listPackages}`, PACKAGES: packages };
  const { code, stderr } = await pegboard(['call', 'work.hi'], { home: home.path, env, entry: cloneEntry });
  expect([code, stderr]).toEqual([0, '']);
  // A validator alone takes longer to load than everything else that such a command does. Two of these are one file each.
  expect(JSON.parse(await home.read('packages.json'))).toEqual(['ignore', 'js-yaml', 'lru-cache']);
});
