import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { progressText } from '../../../../host/core/text/progress-text.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { pegboard } from '../../../kit/cli.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

test.for([
  [{ progress: 3, total: 10, message: 'reading' }, '3/10 · reading'],
  [{ progress: 12, total: 10 }, '10/10'],
  [{ progress: 0.525, total: 1 }, '52 %'],
  [{ progress: 999_999, total: 1_000_000 }, '99 %'],
  [{ progress: 3, message: 'reading' }, 'reading'],
  [{ progress: 3, total: 0 }, ''],
  [{ progress: -3, total: Number.POSITIVE_INFINITY }, ''],
] as const)('the progress %j is shown as "%s"', ([progress, text]) => {
  expect(progressText(progress)).toBe(text);
});

/** An MCP server whose tool goes on when it finds the next file. */
const server = `import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const until = async (file) => {
  while (!existsSync(file)) await new Promise((done) => setTimeout(done, 20));
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'unpack', inputSchema: { type: 'object' } }] }),
  'tools/call': async ({ _meta: { progressToken } }) => {
    const report = (progress) =>
      say({ method: 'notifications/progress', params: { progressToken, total: 5, ...progress } });
    report({ progress: 2 });
    await until('first');
    report({ progress: 3, message: 'big\\u001b[2J.tar' });
    await until('second');
    return { content: [{ type: 'text', text: 'done' }] };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  say({ id, ...(answer ? { result: await answer(params) } : { error: { code: -32601, message: 'unknown' } }) });
}
`;

test('a call of an MCP server shows on its one line how far it is, until it has ended', async () => {
  await using model = await startScriptedModel([
    { toolCalls: [{ name: 'files__unpack', arguments: {} }] },
    { text: 'Unpacked.' },
  ]);
  await using home = await createHome({
    'server.mjs': server,
    'pegboard.yaml': JSON.stringify({
      ...(JSON.parse(configFor(model)) as object),
      mcpServers: { files: { command: process.execPath, args: ['server.mjs'] } },
    }),
  });
  // From now on the home knows what the server offers.
  expect((await pegboard(['mcp', 'list'], { home: home.path })).stdout).toContain('files');
  await using chat = startOnTerminal(['--yes'], { home: home.path });
  await chat.waitFor(/›/);
  chat.child.stdin.write(`unpack it${keys.enter}`);
  await chat.waitFor(/files\.unpack · 2\/5 · /);
  await writeFile(join(home.path, 'first'), '');
  await chat.waitFor(/files\.unpack · 3\/5 · big\.tar · /);
  await writeFile(join(home.path, 'second'), '');
  const shown = await chat.waitFor(/Unpacked\.[^]*›/);
  expect(shown).toMatch(/✓ files\.unpack · done · /);
  chat.child.stdin.write(keys.ctrlD);
  const { stdout } = await chat.ended;
  expect(stdout).not.toContain('\x1b[2J');
});
