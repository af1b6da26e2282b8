import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IncomingMessage } from '../../../host/api/conversation.ts';
import type { Scope } from '../../../host/api/source.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import { obeying, order } from '../../system/provenance/obeying-model.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { waitUntil } from '../../kit/wait-until.ts';

const space = (id: string, settings: object) => ({
  [`spaces/${id}/space.manifest.json`]: JSON.stringify({ id, name: id, description: id }),
  [`spaces/${id}/agent/agent.yaml`]: JSON.stringify({ id, name: id, role: 'coordinator', ...settings }),
});
const deferring = { core: {}, watchers: {} };
const all = { ...deferring, work: {}, filesystem: {} };

const clock = createMovedClock({ start: Date.now() });
let agents: AgentHome;
beforeAll(async () => {
  agents = await openAgentHome(obeying, {
    clock,
    files: {
      ...space('work', {}),
      'spaces/work/agent/tools/mark.md': manifest(
        'mark',
        'parameters:\n  - name: name\n    type: string\n    description: File\ncommand: touch {{name}}',
      ),
      'spaces/work/agent/skills/hand-over/SKILL.md':
        '---\nname: hand-over\ndescription: How work is handed over.\n---\n\nAs you were told.\n',
      'spaces/work/workspace/notes.txt': '',
      ...space('free', {}),
      ...space('other', {}),
      ...space('blocked', { blockedTools: ['work.mark'] }),
      ...space('modules', { tools: { modules: deferring } }),
      ...space('actions', {
        tools: { modules: { ...all, work: { constraints: { blocked_actions: ['mark'] } } } },
      }),
      ...space('reader', {
        tools: { modules: { ...all, filesystem: { constraints: { read_only: true } } } },
      }),
      ...space('asker', { tools: { modules: { ...all, work: { middleware: { confirm: {} } } } } }),
      ...space('ruled', { permissions: { deny: ['work.mark'] } }),
      ...space('hooked', { hooks: { pre_tool: [{ match: ['mark'], command: 'exit 2' }] } }),
    },
  });
  await agents.host.plugins.startServices();
});
afterAll(() => agents[Symbol.asyncDispose]());

/** Runs a tool as somebody: through a model that does as it is told, or directly. False: it was refused. */
type Caller = (tool: string, args: object) => Promise<boolean>;

const asAgent =
  (agent: string, message: Partial<IncomingMessage> = {}): Caller =>
  async (tool, args) => {
    const key = { agent, externalId: crypto.randomUUID() };
    const { toolCalls } = await agents.say(order(tool, args), { ...key, ...message });
    return toolCalls.every(({ ok }) => ok);
  };
const tools = ['core', 'watch_start'];
const client: Scope = { identity: 'agent', access: {}, within: [{ allowed: tools }] };

/** All but the first may not do all that the agent "work" may: run its tool, and write a file. */
const callers = {
  'who may do all': asAgent('free'),
  'a client with a preset': async (name, args) =>
    !(await agents.host.dispatch({ name, args, scope: client, caller: 'mcp:confined' })).error,
  'a message with context.tools': asAgent('free', { context: { tools } }),
  'a worker with tools': (tool, args) => asAgent('free')('agent', { task: order(tool, args), tools }),
  'an agent with blockedTools': asAgent('blocked'),
  'an agent with modules': asAgent('modules'),
  'an agent with blocked actions': asAgent('actions'),
  'an agent that only reads': asAgent('reader'),
  'an agent with a rule': asAgent('ruled'),
  'an agent with a hook': asAgent('hooked'),
} satisfies { [name: string]: Caller };

const toWork = (task: string) => ({ agent: 'work', task });
const once = { run_at: 'now', allow_duplicate: true };
const often = { tool: 'schedule_list', act_on: 'interval', interval: 60 };
const ways: readonly (readonly [string, (task: string) => readonly [tool: string, args: object]])[] = [
  ['call_app', (task) => ['call_app', toWork(task)]],
  ['agent', (task) => ['agent', { task: order('call_app', toWork(task)) }]],
  ['another agent', (task) => ['call_app', { agent: 'other', task: order('call_app', toWork(task)) }]],
  ['execute_tool', (task) => ['execute_tool', { name: 'call_app', params: toWork(task) }]],
  ['run_parallel', (task) => ['run_parallel', { calls: [{ tool: 'call_app', params: toWork(task) }] }]],
  [
    'run_script',
    (task) => ['run_script', { code: `await tools.meta.call_app(${JSON.stringify(toWork(task))})` }],
  ],
  ['background_run', (task) => ['background_run', { mode: 'start', tool: 'call_app', params: toWork(task) }]],
  ['use_skill', (task) => ['call_app', toWork(order('use_skill', { name: 'hand-over' }) + task)]],
  ['schedule', (task) => ['schedule_create', { instruction: order('call_app', toWork(task)), ...once }]],
  ['watch_start', (task) => ['watch_start', { instruction: order('call_app', toWork(task)), ...often }]],
  [
    'an agent that schedules',
    (task) => ['call_app', toWork(order('schedule_create', { instruction: task, ...once }))],
  ],
  [
    'an agent that watches',
    (task) => ['call_app', toWork(order('watch_start', { instruction: task, ...often }))],
  ],
];

test.each(ways)('by %s nobody gets more than they may do themselves', async (way, hand) => {
  const name = (who: string): string => `${way}-${who}`.replaceAll(/\W+/g, '-');
  const effects = ['mark', 'write'] as const;
  const file = (who: string, effect: string): string => `spaces/work/workspace/${name(who)}-${effect}`;
  const open = new Set<string>();
  for (const [who, caller] of Object.entries(callers)) {
    const [mark, write] = effects.map((effect) => join(agents.home.path, file(who, effect)));
    const orders = order('mark', { name: mark }) + order('write', { path: write, content: '' });
    if (await caller(...hand(`${name(who)}: ${orders}`))) open.add(who);
  }
  clock.pass(60_000);
  let read = 0;
  await waitUntil(
    () => {
      clock.pass(1000);
      for (const { messages } of agents.model.requests.slice(read)) {
        read++;
        if (messages.at(-1)!.role !== 'tool') continue;
        const asked = JSON.stringify(messages.filter(({ role }) => role === 'user'));
        for (const who of open) if (asked.includes(`${name(who)}: `)) open.delete(who);
      }
      return open;
    },
    ({ size }) => size === 0,
  );
  const did = Object.keys(callers).map((who) => [
    who,
    effects.filter((effect) => existsSync(join(agents.home.path, file(who, effect)))),
  ]);
  const none: readonly string[] = [];
  expect(Object.fromEntries(did)).toEqual({
    'who may do all': ['mark', 'write'],
    'a client with a preset': none,
    'a message with context.tools': none,
    'a worker with tools': none,
    'an agent with blockedTools': ['write'],
    'an agent with modules': none,
    'an agent with blocked actions': ['write'],
    'an agent that only reads': ['mark'],
    'an agent with a rule': ['write'],
    'an agent with a hook': ['write'],
  });
});

/** What models were asked that has these words; schedules of other tests may ask at the same time. */
const askedWith = (words: string): string =>
  agents.model.requests
    .map((request) => JSON.stringify(request))
    .filter((request) => request.includes(words))
    .join('\n');

test('a middleware of an agent holds for the agents that it hands work to', async () => {
  await asAgent('asker')('call_app', toWork(order('mark', { name: 'of-asker' })));
  expect(askedWith('of-asker')).toContain('work.mark needs a confirmation, and there is nobody to ask here');
});

test('a worker passes on at most the tools that it has', async () => {
  const wider = order('agent', { task: 'Write more', tools: ['core', 'filesystem.*'] });
  await callers['a worker with tools']('agent', { task: wider });
  expect(askedWith('Write more')).toContain('names \\"filesystem.*\\", but the agent has no such tool');
});
