import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as kernel from '../../host/api/services/kernel-tokens.ts';
import { defineToken } from '../../host/api/services/token.ts';
import { packageRoot } from '../../host/core/files/paths.ts';
import { createHost } from '../../host/create-host.ts';
import { readManifest } from '../../host/plugins/loading/discover.ts';
import { createHome } from '../kit/homes/home.ts';

const plugins = await Promise.all(
  globSync('plugins/*/plugin.yaml', { cwd: packageRoot }).map(async (path) => {
    const { manifest } = await readManifest(join(packageRoot, dirname(path)), [packageRoot]);
    return manifest!;
  }),
);
const provided = plugins.flatMap(({ id, provides }) => provides.map((name) => [name, id] as const));

test('no plugin declares what the host itself provides', () => {
  const own = Object.values(kernel).map(({ name }) => name);
  expect(own.length).toBeGreaterThan(3);
  expect(provided.filter(([name]) => own.includes(name))).toEqual([]);
});

test.each(provided)('what provides %s is replaced while it is used', async (name) => {
  await using home = await createHome();
  await using host = await createHost({ home: home.path, mcp: 'off' });
  const use = host.plugins.use(defineToken<object>(name, name));
  const begun = Promise.withResolvers<object>();
  const goOn = Promise.withResolvers<void>();
  const using = use(async (value) => {
    begun.resolve(value);
    await goOn.promise;
    return 'ended well';
  });
  const before = await begun.promise;
  const [, id] = provided.find(([one]) => one === name)!;
  await host.plugins.changed([join(packageRoot, 'plugins', id, 'index.ts')]);
  expect(await use((value) => value === before)).toBe(false);
  goOn.resolve();
  expect(await using).toBe('ended well');
});
