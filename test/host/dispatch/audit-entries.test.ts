import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turnOfLoop, setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import type { CallTrace } from '../../../host/api/trace.ts';
import type { AuditLine } from '../../../host/store/audit.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { callBody, modernHeaders, post } from '../../kit/mcp/mcp-wire.ts';

const greet = manifest('greet', 'command: echo hello there');
const entriesOf = async (home: TestHome): Promise<AuditLine[]> =>
  (await home.read('data/logs/audit.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditLine);

/** Members of every line, whoever called. */
const whole = {
  at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
  id: expect.any(String) as string,
  args: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  verdict: 'allowed',
  by: 'rule',
  outcome: 'ok',
  ms: expect.any(Number) as number,
  tokens: expect.any(Number) as number,
};

test('a call has its line from the terminal and from MCP clients on standard input and over HTTP', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'serve: { token: sesame-open }',
    'spaces/work/agent/tools/greet.md': greet,
  });
  await pegboard(['call', 'greet'], { home: home.path });
  {
    await using stdio = startPegboard(['serve'], { home: home.path });
    stdio.child.stdin.write(`${callBody('greet', {}, 'modern')}\n`);
    await stdio.waitFor(/hello there/);
    stdio.child.stdin.end();
    await stdio.ended;
  }
  {
    await using http = startPegboard(['serve', '--http', '0'], { home: home.path });
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(await http.waitFor(/127\.0\.0\.1:\d+/))![1]);
    const { text } = await post(
      { port, token: 'sesame-open' },
      callBody('greet', {}, 'modern'),
      modernHeaders('greet'),
    );
    expect(text).toContain('hello there');
    http.child.kill('SIGTERM');
    await http.ended;
  }
  const entries = await entriesOf(home);
  expect(entries).toEqual(
    ['cli', 'mcp:raw', 'mcp:raw'].map((caller) => ({ ...whole, caller, tool: 'work.greet', tokens: 3 })),
  );
  expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
});

test('in a turn every call has its line, those within others too, with what the agents that it began have used', async () => {
  await using agent = await openAgentHome(
    [
      {
        toolCalls: [
          { name: 'run_parallel', arguments: { calls: [{ tool: 'greet' }] } },
          { name: 'execute_tool', arguments: { name: 'greet', params: {} } },
          { name: 'background_run', arguments: { mode: 'start', tool: 'greet' } },
          { name: 'call_app', arguments: { agent: 'work', task: 'greet' } },
        ],
      },
      { toolCalls: [{ name: 'greet', arguments: {} }], usage: { prompt_tokens: 500, completion_tokens: 10 } },
      { text: 'greeted', usage: { prompt_tokens: 600, completion_tokens: 20, cost: 0.5 } },
      { text: 'done' },
    ],
    {
      files: {
        'spaces/boss/agent/agent.yaml': 'name: boss\n',
        'spaces/work/agent/agent.yaml': 'name: work\n',
        'spaces/work/agent/tools/greet.md': greet,
      },
    },
  );
  const greeted = callsOf('work.greet', 4);
  await agent.say('go', { agent: 'boss', source: 'telegram', externalId: '77' });
  await greeted;
  await agent.host[Symbol.asyncDispose]();
  expect(agent.model.refusals).toEqual([]);

  const entries = await entriesOf(agent.home);
  const byTool = (tool: string): AuditLine => entries.find((entry) => entry.tool === tool)!;
  const outer = ['meta.run_parallel', 'meta.execute_tool', 'meta.background_run', 'meta.call_app'].map(
    byTool,
  );
  const boss = { caller: 'agent:boss', agent: 'boss', turn: 'telegram/1' };
  for (const entry of outer) expect(entry).toMatchObject({ ...whole, ...boss });
  expect(outer.map(({ used }) => used)).toEqual([
    undefined,
    undefined,
    undefined,
    { input: 1_100, output: 30, cost: 0.5 },
  ]);
  const inner = entries.filter(({ tool }) => tool === 'work.greet');
  expect(inner).toHaveLength(4);
  for (const [at, { id }] of outer.entries()) {
    const told = inner.find(({ within }) => within === id);
    const worker = { caller: 'agent:work', agent: 'work', turn: 'agent/2' };
    expect(told).toEqual({
      ...whole,
      ...(at === 3 ? worker : boss),
      tool: 'work.greet',
      within: id,
      tokens: 3,
    });
  }
});

test('a call whose arguments a model wrote wrong has its line too', async () => {
  await using agent = await openAgentHome(
    [{ toolCalls: [{ name: 'greet', arguments: '{"who": "Ada' }] }, { text: 'ok' }],
    { files: { 'spaces/work/agent/agent.yaml': 'name: work\n', 'spaces/work/agent/tools/greet.md': greet } },
  );
  const { toolCalls } = await agent.say('go');
  expect(toolCalls).toMatchObject([{ tool: 'work.greet', ok: false }]);
  await agent.host[Symbol.asyncDispose]();
  const [entry] = await entriesOf(agent.home);
  expect(entry).toMatchObject({ tool: 'work.greet', outcome: 'PEG_INVALID_ARGUMENTS', turn: 'cli/1' });
  expect(entry).not.toHaveProperty('verdict');
});

test('what an MCP client is refused before any tool runs has its line', async () => {
  await using home = await createHome({ 'spaces/work/agent/tools/greet.md': greet });
  await using stdio = startPegboard(['serve', '--mode', 'discovery'], { home: home.path });
  const call = callBody('execute_read_only_tool', { name: 'greet', params: {} }, 'modern');
  stdio.child.stdin.write(`${call}\n`);
  await stdio.waitFor(/has risk/);
  stdio.child.stdin.end();
  await stdio.ended;
  const refused = { caller: 'mcp:raw', tool: 'work.greet', outcome: 'PEG_DENIED', verdict: 'refused' };
  expect(await entriesOf(home)).toMatchObject([{ ...refused, by: 'access' }]);
});

test('turns of schedules are distinguished by their source', async () => {
  await using agent = await openAgentHome(
    [{ toolCalls: [{ name: 'greet', arguments: {} }] }, { text: 'ok' }],
    {
      files: { 'spaces/work/agent/agent.yaml': 'name: work\n', 'spaces/work/agent/tools/greet.md': greet },
    },
  );
  await agent.say('go', { source: 'schedule', externalId: '3' });
  await agent.host[Symbol.asyncDispose]();
  expect(await entriesOf(agent.home)).toMatchObject([{ ...whole, turn: 'schedule/1', tool: 'work.greet' }]);
});

/** Resolves when this number of calls of a tool have ended. */
function callsOf(tool: string, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (trace: unknown): void => {
    if ((trace as CallTrace).tool?.id !== tool || --count > 0) return;
    unsubscribe('tracing:pegboard:call:asyncEnd', hear);
    void turnOfLoop().then(resolve);
  };
  subscribe('tracing:pegboard:call:asyncEnd', hear);
  return promise;
}

test('the time for which a call waits for a person is noted apart from its duration, also of an inner call', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello\nconfirm: true'),
  });
  await using host = await createHost({ home: home.path });
  const thinkingMs = 50;
  /** Returns how long it took, in milliseconds. */
  const call = async (name: string, args: object): Promise<number> => {
    const began = performance.now();
    await host.dispatch({
      name,
      args,
      scope: host.scopeFor(undefined),
      caller: 'test',
      ask: async () => {
        await delay(thinkingMs);
        return { action: 'accept' };
      },
    });
    return performance.now() - began;
  };
  const plain = await call('greet', {});
  const outer = await call('execute_tool', { name: 'greet' });
  await expect.poll(async () => (await entriesOf(home)).length).toBe(3);
  for (const [at, { tool, ms, waitedMs }] of (await entriesOf(home)).entries()) {
    expect(waitedMs, tool).toBeGreaterThanOrEqual(thinkingMs - 5);
    // Both are rounded.
    expect(ms + waitedMs!, tool).toBeLessThanOrEqual((at === 0 ? plain : outer) + 2);
  }
});
