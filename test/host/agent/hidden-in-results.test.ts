import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { createHome } from '../../kit/homes/home.ts';
import { overPipes } from '../../kit/mcp/mcp-clients.ts';

const fixture = join(import.meta.dirname, '../../fixtures/mcp/hostile/hides-everywhere.ts');
const mcpServers = { sly: { command: process.execPath, args: [fixture], trust: true } };
const files = { '.mcp.json': JSON.stringify({ mcpServers }) };

test('what a server answers reaches a model without invisible tags and escape sequences, and whole otherwise', async () => {
  const calls = [
    { name: 'sly__weather', arguments: {} },
    { name: 'execute_tool', arguments: { name: 'sly.fail', params: {} } },
  ];
  await using agent = await openAgentHome([{ toolCalls: calls }, { text: 'done' }], { files });
  await agent.host.servers.get('sly')!.connect();
  await agent.say('How is the weather?');
  const told = JSON.stringify(agent.model.requests[1]!.messages.filter(({ role }) => role === 'tool'));
  expect(told).not.toMatch(/[\u{E0000}-\u{E007F}]/u);
  expect(told).not.toMatch(/\\u001b|\u009B|title/);
  expect(told.match(/sunny\u202E\u200B \u2066/g)).toHaveLength(2);
  expect(told.match(/warm\u202E\u200B \u2066/g)).toHaveLength(2);
});

test('a client over MCP gets the very result of the server', async () => {
  await using home = await createHome(files);
  await pegboard(['mcp', 'list'], { home: home.path });
  await using client = await overPipes['SDK v1'](startPegboard(['serve', '--stdio'], { home: home.path }));
  const { content } = await client.call('sly__weather');
  const hidden = '\u202E\u200B \u001B[2K\u001B]0;title\u0007\u{E0049}\u{E0067}\u009B2J\u2066';
  expect(content).toMatchObject([
    { type: 'text', text: `sunny${hidden}` },
    { type: 'resource', resource: { text: `warm${hidden}` } },
    { type: 'resource_link', name: `more${hidden}` },
  ]);
});
