import { expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';

const files = { 'spaces/work/agent/tools/look.md': manifest('look', 'readOnly: true\ncommand: echo seen') };
const agent = (settings: object) => ({
  ...files,
  'spaces/work/agent/agent.yaml': JSON.stringify({
    id: 'work',
    name: 'Work',
    role: 'coordinator',
    ...settings,
  }),
});
const namesIn = (tools: readonly object[] = []): string =>
  tools.map((tool) => JSON.stringify((tool as { function?: object }).function ?? tool)).join('\n');
const code = 'return (await tools.work.look({})).trim().toUpperCase()';

test('a model without tool calls of its own runs scripts too', async () => {
  const call = `<tool_call>\n${JSON.stringify({ name: 'run_script', arguments: { code } })}\n</tool_call>`;
  await using home = await openAgentHome([{ text: call }, { text: 'done' }], {
    files: agent({ brain: { native_tool_use: false } }),
  });
  const reply = await home.say('go', { agent: 'work' });
  expect(reply).toMatchObject({
    text: 'done',
    toolCalls: [{ tool: 'meta.run_script', ok: true, result: 'SEEN' }],
  });
  expect(home.model.requests[0]!.tools).toBeUndefined();
});

test('runtime.scripts: off takes run_script away, also from a model that calls it anyway', async () => {
  const calls = { toolCalls: [{ name: 'run_script', arguments: { code } }] };
  await using home = await openAgentHome([calls, { text: 'done' }], {
    files: agent({ runtime: { scripts: 'off' } }),
  });
  const reply = await home.say('go', { agent: 'work' });
  expect(namesIn(home.model.requests[0]!.tools)).toContain('look');
  expect(JSON.stringify(home.model.requests[0])).not.toContain('run_script');
  expect(reply.toolCalls).toMatchObject([{ ok: false }]);
});
