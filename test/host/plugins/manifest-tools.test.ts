import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { textOf } from '../../../host/tools/result.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const files = {
  'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\n',
  'plugins/dice/tools/roll.md': manifest('roll', 'command: node scripts/roll.mjs'),
  'plugins/dice/tools/more/toss.yaml':
    'id: toss\nname: Toss\ndescription: Tosses a coin\ncommand: echo heads\n',
  'plugins/dice/scripts/roll.mjs': 'console.log(4);\n',
};

test('a plugin of manifests alone is listed, trusted and run like any other, and needs no code', async () => {
  await using home = await createHome(files);
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(await run('call', 'dice.roll')).toMatchObject({ code: 3 });
  expect((await run('approvals')).stdout).toContain('pegboard approvals allow dice');
  expect(await run('approvals', 'allow', 'dice', '--yes')).toMatchObject({ code: 0 });
  const { tools } = await pegboardJson<{ tools: readonly { id: string; kind: string }[] }>(
    ['tools', 'dice'],
    {
      home: home.path,
    },
  );
  expect(tools).toMatchObject([
    { id: 'dice.toss', kind: 'plugin' },
    { id: 'dice.roll', kind: 'plugin' },
  ]);
  expect(await run('call', 'roll')).toMatchObject({ code: 0, stdout: '4\n' });
  // Its programs are trusted with it, as they were.
  await home.write('plugins/dice/scripts/roll.mjs', 'console.log("owned");\n');
  expect(await run('call', 'roll')).toMatchObject({ code: 0, stdout: '4\n' });
});

test('manifests work next to the packs of its code, and a function of a handler is its own', async () => {
  await using home = await createHome({
    ...files,
    'pegboard.yaml': JSON.stringify({ plugins: { dice: { trusted: true } } }),
    'plugins/dice/plugin.yaml':
      'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\npacks:\n  luck:\n    description: Luck\n',
    'plugins/dice/index.ts':
      "export default { setup: () => ({ packs: { luck: [{ name: 'wish', description: 'Wishes', parameters: { type: 'object' }, execute: () => 'granted' }] } }) };\n",
    'plugins/dice/tools/count.md': manifest('count', 'handler: ./count.ts#count'),
    'plugins/dice/tools/count.ts': "export const count = (): string => 'one, two';\n",
  });
  await using host = await createHost({ home: home.path, mcp: 'off' });
  const say = async (name: string): Promise<string> =>
    textOf(await host.dispatch({ name, args: {}, scope: hostScope, caller: 'test' }));
  expect(await say('luck.wish')).toBe('granted');
  expect(await say('dice.toss')).toBe('heads\n');
  expect(await say('dice.count')).toBe('one, two');
  expect(host.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a broken manifest costs itself at the start, and in a host that runs nothing', async () => {
  const broken = manifest('roll', 'command: echo 4\ntimout: 5');
  await using home = await createHome({
    ...files,
    'pegboard.yaml': JSON.stringify({ plugins: { dice: { trusted: true } } }),
  });
  await using host = await createHost({ home: home.path, mcp: 'off', watch: true });
  const has = (id: string): boolean => host.registry.snapshot.tools.has(id);
  expect([has('dice.roll'), has('dice.toss')]).toEqual([true, true]);
  await home.write('plugins/dice/tools/roll.md', broken);
  const problem = () => host.plugins.states.find(({ manifest: { id } }) => id === 'dice')!.problem;
  await expect.poll(problem).toContain('plugins/dice/tools/roll.md:6:1');
  expect([has('dice.roll'), has('dice.toss')]).toEqual([true, true]);
  await home.write('plugins/dice/tools/roll.md', manifest('roll', 'command: echo 6'));
  await expect.poll(problem).toBeUndefined();
  expect(textOf(await host.dispatch({ name: 'roll', args: {}, scope: hostScope, caller: 'test' }))).toBe(
    '6\n',
  );

  await home.write('plugins/dice/tools/roll.md', broken);
  await using next = await createHost({ home: home.path, mcp: 'off' });
  expect(next.registry.snapshot.tools.has('dice.toss')).toBe(true);
  expect(next.registry.snapshot.tools.has('dice.roll')).toBe(false);
  expect(next.diagnostics).toContainEqual(
    expect.objectContaining({
      path: expect.stringContaining('plugins/dice/tools/roll.md') as string,
      line: 6,
    }),
  );
});
