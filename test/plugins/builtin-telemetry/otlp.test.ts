import { expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { startCollector, type Collector } from '../../kit/servers/collector.ts';
import { leaveJobs } from '../../kit/engine/left-jobs.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';

const canary = 'canary-7f3a91';

/** The spans as a tree of names, siblings in the order of their names. */
function treeOf({ spans }: Collector, parent = ''): object[] {
  return spans
    .filter((span) => span.parent === parent)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((span) => {
      const within = treeOf({ spans } as Collector, span.spanId);
      return within.length === 0 ? { [span.name]: {} } : { [span.name]: within };
    });
}

test('a call of the terminal is a span and a metric; what it was given and returned is in neither', async () => {
  await using collector = await startCollector();
  await using home = await createHome({
    'spaces/work/agent/tools/hi.md': manifest(
      'hi',
      'parameters: [{ name: who, type: string, required: true }]\ncommand: echo hi {{who}}',
    ),
  });
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    EXT_TOKEN: `secret-${canary}`,
  };
  const began = performance.now();
  const done = await pegboard(['call', 'hi', `who=${canary}`], { home: home.path, env, apart: true });
  const took = performance.now() - began;
  expect([done.code, done.stdout, done.stderr]).toEqual([0, `hi ${canary}\n`, '']);
  await pegboard(['call', 'hi'], { home: home.path, env, apart: true });
  await pegboard(['call', `no-${canary}`], { home: home.path, env, apart: true });

  const [fine, wrong, unknown] = collector.spans;
  expect(collector.spans).toHaveLength(3);
  expect(fine).toMatchObject({
    name: 'execute_tool work.hi',
    kind: 1,
    parent: '',
    failed: false,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'work.hi',
      'gen_ai.tool.type': 'function',
      'pegboard.caller': 'cli',
      'pegboard.tool.source': 'manifest:work',
    },
  });
  expect(wrong).toMatchObject({ failed: true, attributes: { 'error.type': 'PEG_INVALID_ARGUMENTS' } });
  expect(unknown).toMatchObject({ name: 'execute_tool', failed: true });
  const durations = collector.points.filter(({ metric }) => metric === 'gen_ai.execute_tool.duration');
  expect(durations.map(({ count, attributes }) => [count, attributes['error.type']])).toEqual([
    [1, undefined],
    [1, 'PEG_INVALID_ARGUMENTS'],
    [1, 'PEG_TOOL_NOT_FOUND'],
  ]);
  expect(durations[0]!.sum).toBeGreaterThan(0);
  // In seconds.
  expect(durations[0]!.sum).toBeLessThan(took / 1_000);
  expect(collector.points.map(({ metric }) => metric)).toContain('pegboard.tool.calls');
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'pegboard',
    'deployment.environment': 'test',
  });
  expect(collector.headers[0]!['authorization']).toBe('Bearer abc');
  expect(collector.bodies.join()).not.toContain(canary);
});

test('a chat is a tree: the turn, the model, its calls, and the turn of another agent within a call', async () => {
  await using collector = await startCollector();
  await using model = await startScriptedModel([
    {
      toolCalls: [
        {
          name: 'run_parallel',
          arguments: {
            calls: [
              { tool: 'hi', params: { who: canary } },
              { tool: 'hi', params: {} },
            ],
          },
        },
        { name: 'agent', arguments: { task: `say ${canary}` } },
      ],
    },
    { text: `worker says ${canary}`, usage: { prompt_tokens: 100, completion_tokens: 7 } },
    { text: canary },
  ]);
  await using home = await createHome({
    'pegboard.yaml': configFor(model),
    'spaces/boss/agent/agent.yaml': 'name: boss\nrole: coordinator\n',
    'spaces/boss/agent/tools/hi.md': manifest(
      'hi',
      'parameters: [{ name: who, type: string, required: true }]\ncommand: echo hi {{who}}',
    ),
  });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const done = await pegboard(['chat', `tell me of ${canary}`, '--agent', 'boss'], {
    home: home.path,
    env,
    apart: true,
  });
  expect([done.code, done.stdout]).toEqual([0, `${canary}\n`]);
  expect(model.refusals).toEqual([]);

  expect(treeOf(collector)).toEqual([
    {
      'invoke_agent boss': [
        { 'chat test': {} },
        { 'chat test': {} },
        { 'execute_tool meta.agent': [{ 'invoke_agent boss': [{ 'chat test': {} }] }] },
        {
          'execute_tool meta.run_parallel': [{ 'execute_tool boss.hi': {} }, { 'execute_tool boss.hi': {} }],
        },
      ],
    },
  ]);
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  const chats = collector.spans.filter(({ name }) => name === 'chat test');
  expect(chats[0]).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'test',
      'gen_ai.response.model': 'test',
      'gen_ai.response.finish_reasons': expect.anything() as object,
    },
  });
  const worker = collector.spans.find(({ name }) => name === 'execute_tool meta.agent')!;
  expect(worker.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 7,
    'gen_ai.agent.id': 'boss',
  });
  const turn = collector.spans.find(({ name, parent }) => name === 'invoke_agent boss' && parent === '')!;
  expect(turn.attributes).toMatchObject({
    'gen_ai.agent.name': 'boss',
    'gen_ai.conversation.id': 'cli/1',
    'pegboard.channel': 'cli',
  });
  const metrics = new Set(collector.points.map(({ metric }) => metric));
  expect([...metrics].toSorted()).toEqual([
    'gen_ai.client.operation.duration',
    'gen_ai.client.token.usage',
    'gen_ai.execute_tool.duration',
    'gen_ai.invoke_agent.duration',
    'gen_ai.invoke_agent.tool_calls',
    'pegboard.tool.calls',
  ]);
  const tokens = collector.points.filter(({ metric }) => metric === 'gen_ai.client.token.usage');
  expect(tokens.find(({ attributes }) => attributes['gen_ai.token.type'] === 'input')).toMatchObject({
    count: 3,
  });
  expect(collector.bodies.join()).not.toContain(canary);
});

test('the prompt sends too', async () => {
  await using collector = await startCollector();
  await using model = await startScriptedModel([{ text: 'well' }]);
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  expect((await pegboard([], { home: home.path, env, input: 'hello\n', apart: true })).code).toBe(0);
  expect(treeOf(collector)).toEqual([{ 'invoke_agent Pegboard': [{ 'chat test': {} }] }]);
});

test('a model that refuses is a failed span', async () => {
  await using collector = await startCollector();
  await using model = await startScriptedModel([{ faults: { status: 401, message: canary } }]);
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  expect((await pegboard(['chat', 'hello'], { home: home.path, env, apart: true })).code).not.toBe(0);
  expect(
    collector.spans.map(({ name, failed, attributes }) => [name, failed, attributes['error.type']]),
  ).toEqual([
    ['chat test', true, 'PEG_MODEL_REFUSED'],
    [expect.stringMatching(/^invoke_agent /), true, 'PEG_MODEL_REFUSED'],
  ]);
  expect(collector.bodies.join()).not.toContain(canary);
});

test.for([
  ['is not there', undefined, /OpenTelemetry/],
  ['refuses', { status: 401 }, /OpenTelemetry/],
  ['never answers', { silent: true }, /no response within \d s.*OpenTelemetry/],
] as const)(
  'a collector that %s costs a command one line in the log',
  async ([, how, says], { expect: check }) => {
    await using collector = await startCollector(how ?? {});
    if (!how) await collector[Symbol.asyncDispose]();
    await using home = await createHome({
      'spaces/work/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
    });
    const done = await pegboard(['call', 'hi'], {
      home: home.path,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      apart: true,
    });
    check([done.code, done.stdout, done.stderr]).toEqual([0, 'hi\n', '']);
    const log = (await home.read('data/logs/host.log')).trim().split('\n');
    check(log.filter((line) => line.includes('OpenTelemetry'))).toEqual([check.stringMatching(says)]);
  },
);

test.for([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }])(
  'nothing is sent with %o',
  async (off) => {
    await using collector = await startCollector();
    await using home = await createHome({
      'spaces/work/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
    });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...off };
    expect((await pegboard(['call', 'hi'], { home: home.path, env, apart: true })).code).toBe(0);
    expect(collector.bodies).toEqual([]);
  },
);

test('a server sends while it runs; the call of an MCP client that is traced itself goes on with its trace', async () => {
  await using collector = await startCollector();
  await using home = await createHome({
    'spaces/work/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
  });
  await using server = startPegboard(['serve'], {
    home: home.path,
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`, OTEL_BSP_SCHEDULE_DELAY: '10' },
    apart: true,
  });
  const send = (message: object): boolean =>
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'tester', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await server.waitFor(/"id":1/);
  send({ method: 'notifications/initialized' });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'hi', arguments: {}, _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
  });
  const span = await collector.waitFor('execute_tool work.hi');
  expect(span).toMatchObject({
    traceId,
    parent: 'b7ad6b7169203331',
    attributes: { 'pegboard.caller': 'mcp:tester' },
  });
  server.child.stdin.end();
  expect((await server.ended).code).toBe(0);
  expect(collector.points).toEqual([]);
});

test('a host measures what waits in the queues and for how long, and how many hosts are live', async () => {
  await using collector = await startCollector();
  await using home = await createHome();
  await leaveJobs(home.path);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRIC_EXPORT_INTERVAL: '200' };
  await using host = startPegboard(['start'], { home: home.path, env, apart: true });
  const latest = (metric: string, queue?: string): number | undefined =>
    collector.points.findLast(
      (point) => point.metric === metric && point.attributes['pegboard.queue'] === queue,
    )?.sum;
  await expect.poll(() => latest('pegboard.hosts')).toBe(1);
  await expect.poll(() => latest('pegboard.queue.waiting', 'letters')).toBe(1);
  expect(latest('pegboard.queue.oldest', 'letters')).toBeGreaterThanOrEqual(130);
  host.child.kill('SIGTERM');
  expect(await host.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
});
