import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

const everything = join(
  import.meta.dirname,
  '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

const files = {
  'pegboard.yaml': 'spaces: { theirs: { trusted: false } }\n',
  'spaces/theirs/agent/tools/hi.md': manifest('hi', 'command: echo hello'),
  'spaces/mine/agent/tools/publish.md': manifest(
    'publish',
    'command: echo published\nenvironment: { TOKEN: "${REGISTRY_TOKEN}" }',
  ),
  'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Dice\n',
  'plugins/dice/index.ts': 'export default { setup: () => ({}) };\n',
};

interface Listed {
  readonly approvals: readonly { readonly tool: string }[];
  readonly code: readonly { readonly id: string }[];
  readonly spaces: readonly { readonly name: string }[];
  readonly waiting: readonly { readonly command: string }[];
}

test('a space, a plugin and a grant of secrets are listed, shown, allowed and revoked with the same words', async () => {
  await using home = await createHome(files);
  const run = (...args: string[]) =>
    pegboard(args, { home: home.path, env: { REGISTRY_TOKEN: 'a-token-of-the-registry' } });
  const list = () => pegboardJson<Listed>(['approvals', 'list'], { home: home.path });
  const commandsIn = ({ waiting }: Listed): readonly string[] => waiting.map(({ command }) => command);

  const before = await list();
  expect(before).toMatchObject({ approvals: [], code: [], spaces: [] });
  expect(commandsIn(before)).toEqual([
    'pegboard approvals allow spaces/theirs',
    'pegboard approvals allow dice',
  ]);
  const shown = await run('approvals', 'show', 'spaces/theirs');
  expect(shown).toMatchObject({ code: 0 });
  for (const said of ['agent/tools/hi.md', 'echo hello', 'pegboard approvals allow spaces/theirs'])
    expect(shown.stdout).toContain(said);
  expect((await run('approvals', 'show', 'dice')).stdout).toContain('Run the code of dice');
  expect(await run('approvals', 'show', 'dise')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean dice?') as string,
  });
  expect(commandsIn(await list())).toHaveLength(2);

  expect(await run('approvals', 'allow', 'theirs', 'dice', 'mine.publish', '--yes')).toMatchObject({
    code: 0,
  });
  expect(await list()).toMatchObject({
    approvals: [{ tool: 'mine.publish' }],
    code: [{ id: 'dice' }],
    spaces: [{ name: 'theirs' }],
    waiting: [],
  });
  expect(await run('call', 'hi')).toMatchObject({ stdout: 'hello\n' });

  expect(await run('approvals', 'revoke', 'publish', 'dice', 'spaces/theirs')).toMatchObject({ code: 0 });
  expect(await list()).toEqual({ ...before });
  expect(await run('call', 'hi')).toMatchObject({ code: 3 });
  expect(await run('approvals', 'revoke', 'dice')).toMatchObject({ code: 4 });
});

test('an MCP server is revoked too: its tools wait until they are allowed again', async () => {
  const entry = { command: process.execPath, args: [everything] };
  await using home = await createHome({ '.mcp.json': JSON.stringify({ mcpServers: { every: entry } }) });
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  const echo = ['call', 'every.echo', 'message=hi'];
  expect(await run(...echo)).toMatchObject({ code: 0, stdout: 'Echo: hi\n' });

  expect(await run('approvals', 'revoke', 'every')).toMatchObject({
    code: 0,
    stdout: 'The MCP server every is no longer approved; its tools wait for your approval.\n',
  });
  expect((await run(...echo)).code).not.toBe(0);
  expect((await run('approvals', 'list')).stdout).toContain('every');
  expect((await run('approvals', 'revoke', '--all')).stderr).toContain('There was nothing to revoke.');

  expect(await run('mcp', 'approve', 'every', '--yes')).toMatchObject({ code: 0 });
  expect(await run(...echo)).toMatchObject({ code: 0, stdout: 'Echo: hi\n' });
});

test('only questions can be denied: everything else stays pending until it is allowed', async () => {
  await using home = await createHome(files);
  const { code, stderr } = await pegboard(['approvals', 'deny', 'dice'], { home: home.path });
  expect(code).toBe(2);
  expect(stderr).toContain('pending until you allow it');
});
