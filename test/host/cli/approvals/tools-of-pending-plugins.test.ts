import { expect, test } from 'vitest';
import { createHost } from '../../../../host/create-host.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, createUnknownHome, manifest } from '../../../kit/homes/home.ts';
import { serveKnown } from '../../../kit/mcp/verbatim.ts';

const plugin = (setup: string): string =>
  `import { definePlugin, defineTool } from 'pegboard';
export default definePlugin({ setup() { ${setup} } });\n`;
const roll = `const roll = defineTool({ name: 'roll', description: 'Rolls', parameters: { type: 'object' }, execute: () => '4' });
return { tools: { dice: [roll] } };`;
const files = {
  'plugins/dice/plugin.yaml':
    'id: dice\nversion: 1.0.0\ndescription: Dice\npacks: { dice: { description: Dice, tools: [roll] } }\n',
  'plugins/dice/index.ts': plugin(roll),
  'plugins/words/plugin.yaml':
    'id: words\nversion: 1.0.0\ndescription: Words\npacks: { text: { description: Texts } }\n',
  'plugins/words/index.ts': plugin("throw new Error('no dictionary');"),
  'plugins/words/tools/spell.md': manifest('spell', 'command: echo s'),
  'spaces/s/agent/tools/branch.ts':
    "export default { name: 'branch', description: 'b', parameters: { type: 'object' }, execute: () => 'b' };\n",
};

interface Called {
  readonly ok: boolean;
  readonly error: { readonly code: string; readonly message: string; readonly data: unknown };
}

test.each([
  ['dice.roll', 'dice'],
  ['dice__roll', 'dice'],
  ['mcp__pegboard__dice__roll', 'dice'],
  ['roll', 'dice'],
  ['text.count', 'words'],
  ['words.spell', 'words'],
  ['s.branch', 'spaces/s/branch'],
])('a call of %s says that %s is pending approval', async (name, id) => {
  await using home = await createHome(files);
  const called = await pegboard(['call', name], { home: home.path });
  expect(called).toMatchObject({ code: 3, stdout: '' });
  expect(called.stderr).toContain(`pegboard approvals allow ${id}`);
  expect(called.stderr).not.toContain('Did you mean');
  const { error } = await pegboardJson<Called>(['call', name], { home: home.path });
  expect(error).toMatchObject({ code: 'PEG_TOOL_UNAVAILABLE', data: { plugin: id, pending: true } });
  expect((await pegboard(['show', name], { home: home.path })).stderr).toContain(
    `pegboard approvals allow ${id}`,
  );
});

test('MCP clients and agents get the same answer', async () => {
  await using home = await createHome(files);
  await using client = await serveKnown(home);
  for (const name of ['dice__roll', 'roll', 's__branch']) {
    const { result } = await client.request('tools/call', { name, arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('pegboard approvals allow');
  }
  await using host = await createHost({ home: home.path, mcp: 'off' });
  const { error } = await host.dispatch({
    name: 'dice__roll',
    args: {},
    scope: host.scopeFor('s'),
    caller: 'test',
  });
  expect(error).toMatchObject({ code: 'PEG_TOOL_UNAVAILABLE' });
  expect(error?.message).toContain('pegboard approvals allow dice');
});

test('a tool of a plugin that failed says why it is not there', async () => {
  await using home = await createHome(files);
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  await run('approvals', 'allow', 'words', '--yes');
  const called = await run('call', 'text.count');
  expect(called.code).toBe(3);
  expect(called.stderr).toContain('no dictionary');
});

test('in an unknown home the way to trust it is named', async () => {
  await using home = await createUnknownHome(files);
  const { code, stderr } = await pegboard(['show', 'dice.roll'], { home: home.path });
  expect(code).toBe(3);
  expect(stderr).toContain('pegboard trust');
});

test('a tool of a plugin that is off says so', async () => {
  await using home = await createHome({
    ...files,
    'pegboard.yaml': 'plugins: { dice: { enabled: false } }\n',
  });
  const { code, stderr } = await pegboard(['call', 'dice.roll'], { home: home.path });
  expect([code, stderr]).toEqual([3, expect.stringContaining('plugins enable dice` turns it on')]);
});

test('a name that no plugin lists is unknown as before', async () => {
  await using home = await createHome(files);
  for (const name of ['dice.rol', 'rol', 's.brunch', 'nothing.here'])
    expect(await pegboard(['call', name], { home: home.path })).toMatchObject({ code: 4 });
});
