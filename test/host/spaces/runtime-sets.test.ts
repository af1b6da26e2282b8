import { expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { pegboardJson } from '../../kit/cli.ts';
import type { Script } from '../../../host/testing/index.ts';

const agent = (text: string): string => `description: Works\n${text}`;
const files = {
  'spaces/desk/agents/plain.yaml': agent(''),
  'spaces/desk/agents/without.yaml': agent('runtime: { watchers: false, scheduler: false }\n'),
  'spaces/desk/agents/keeper.yaml': agent('tools: { modules: { memory: {} } }\n'),
};
const planning = [
  'schedule',
  'schedule_create',
  'scheduler.schedule',
  'core.schedule_create',
  'core.schedule_list',
  'remind',
  'cancel_schedule',
];
const watching = ['watch_start', 'watchers.watch_list'];

test('watchers: false and scheduler: false forbid, by every name and by way of execute_tool', async () => {
  const script: Script = (request) =>
    request.messages.at(-1).role === 'tool'
      ? { text: 'done' }
      : {
          toolCalls: [
            ...[...planning, ...watching].map((name) => ({ name, arguments: {} })),
            { name: 'execute_tool', arguments: { name: 'core.schedule_create', params: {} } },
          ],
        };
  await using home = await openAgentHome(script, { files });
  const refused = await home.say('plan', { agent: 'without' });
  for (const { result } of refused.toolCalls) expect(result).toContain('PEG_TOOL_UNAVAILABLE');
  expect(refused.toolCalls).toHaveLength(planning.length + watching.length + 1);
  const sent = JSON.stringify(home.model.requests[0]!.tools);
  expect(sent).not.toMatch(/"(?:schedule|schedule_create|remind|watch_start)"/);
  const allowed = await home.say('plan', { agent: 'plain', externalId: 'other' });
  for (const { result } of allowed.toolCalls) expect(result).not.toContain('PEG_TOOL_UNAVAILABLE');
});

test('memory is a module, and remember can be called', async () => {
  const script: Script = [
    { toolCalls: [{ name: 'remember', arguments: { content: 'Anna is allergic to nuts' } }] },
    { toolCalls: [{ name: 'recall', arguments: { query: 'Anna allergic' } }] },
    { text: 'done' },
  ];
  await using home = await openAgentHome(script, { files });
  const { toolCalls } = await home.say('remember', { agent: 'keeper' });
  expect(toolCalls).toMatchObject([
    { tool: 'memory.remember', ok: true },
    { tool: 'memory.recall', ok: true, result: expect.stringContaining('allergic to nuts') },
  ]);
  const names = home.model.requests[0]!.tools!.map((tool) => tool.function.name as string);
  expect(names).toEqual(expect.arrayContaining(['remember', 'recall', 'forget']));
  expect(names).not.toContain('memory_store');
  const { diagnostics } = await pegboardJson<{ diagnostics: readonly { message: string }[] }>(['lint'], {
    home: home.home.path,
  });
  expect(diagnostics).toEqual([]);
});
