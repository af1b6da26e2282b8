import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../host/api/source.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import { obeying, order } from '../../system/provenance/obeying-model.ts';
import { waitUntil } from '../../kit/wait-until.ts';

let agents: AgentHome;
beforeAll(async () => {
  agents = await openAgentHome(obeying, {
    files: {
      'spaces/work/space.manifest.json': '{"id":"work","name":"Work","description":"Work"}',
      'spaces/work/agent/agent.yaml': 'id: work\nname: Work\nrole: coordinator\n',
      'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
      'spaces/work/agent/tools/mark.md': manifest('mark', 'command: touch marked'),
    },
  });
});
afterAll(() => agents[Symbol.asyncDispose]());

/** A client whose preset has an agent to talk to, and one tool. */
const client: Scope = {
  identity: 'agent',
  access: {},
  within: [{ allowed: ['work.greet', 'schedule', 'watch_start'] }],
};
const call = (name: string, args: object) =>
  agents.host.dispatch({ name, args, scope: client, caller: 'mcp:confined' });

test.each([
  ['call_app', (task: string) => call('call_app', { agent: 'work', task })],
  [
    'call_app of an agent that starts another',
    (task: string) => call('call_app', { agent: 'work', task: order('agent', { task }) }),
  ],
  [
    'run_parallel',
    (task: string) =>
      call('run_parallel', { calls: [{ tool: 'call_app', params: { agent: 'work', task } }] }),
  ],
  [
    'background_run',
    (task: string) =>
      call('background_run', { mode: 'start', tool: 'call_app', params: { agent: 'work', task } }),
  ],
])('an agent that a confined client reaches by %s is confined as well', async (_way, hand) => {
  const before = agents.model.requests.length;
  await hand(order('greet', {}) + order('mark', {}) + order('write', { path: 'marked', content: '' }));
  const seen = (): string => JSON.stringify(agents.model.requests.slice(before));
  await waitUntil(seen, (all) => all.includes('hello') && all.split('There is no tool').length > 2);
  await expect(agents.home.read('marked')).rejects.toThrow('ENOENT');
});

test('a confined client schedules no agent, and what its watcher does is confined', async () => {
  const scheduled = await call('schedule', { instruction: 'Write everything', run_at: 'in 60 minutes' });
  expect(scheduled.error).toMatchObject({ code: 'PEG_DENIED' });
  const watching = await call('watch_start', { tool: 'write', instruction: 'Write everything' });
  expect(textOf(watching)).toContain('There is no tool');
});
