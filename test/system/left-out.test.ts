import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../host/core/files/paths.ts';
import { readManifest } from '../../host/plugins/loading/discover.ts';
import { pegboard } from '../kit/cli.ts';
import { createHome, manifest } from '../kit/homes/home.ts';

const ids = globSync('plugins/*/plugin.yaml', { cwd: packageRoot }).map((path) => basename(dirname(path)));

test.each(ids)('without %s a home works, and what it had says that it is off', async (id) => {
  const { manifest: plugin } = await readManifest(join(packageRoot, 'plugins', id), [packageRoot]);
  await using home = await createHome({
    'pegboard.yaml': `plugins: { ${id}: { enabled: false } }\n`,
    'spaces/my/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(await run('call', 'greet')).toMatchObject({ code: 0, stdout: 'hello\n', stderr: '' });
  const listed = await run('tools', '--json');
  expect(listed.code).toBe(0);
  expect(await run('search', 'greet')).toMatchObject({ code: 0, stdout: expect.stringContaining('greet') });
  const off = `the plugin ${id} is off, \`pegboard plugins enable ${id}\` turns it on.`;
  const { packs, metaTools, commands } = plugin!;
  const tools = [
    ...Object.entries(packs).flatMap(([pack, { tools: names = [] }]) =>
      names.map((name) => `${pack}.${name}`),
    ),
    ...metaTools,
  ];
  for (const tool of tools.slice(0, 2)) {
    const { code, stderr } = await run('call', tool);
    expect([tool, code, stderr]).toEqual([tool, 3, expect.stringContaining(off)]);
  }
  for (const command of Object.keys(commands).slice(0, 2)) {
    const { code, stderr } = await run(...command.split(' '));
    expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining(off)]);
  }
});
