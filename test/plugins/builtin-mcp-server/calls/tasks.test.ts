import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conformanceHome } from '../../../fixtures/conformance/home.ts';
import { packageEntry, pegboard, startPegboard, type CliResult, type RunningCli } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { npmServer } from '../../../kit/mcp/mcp-source.ts';
import { callBody, modernHeaders, post } from '../../../kit/mcp/mcp-wire.ts';
import { createMovedClock } from '../../../kit/moved-clock.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

let home: TestHome;
let serving: RunningCli;
/** A pipe whose text the tool "long" waits for. */
let said: string;
const token = 'only-for-this-test';
const server = { port: 0, token };
const owned = new AsyncDisposableStack();
const extension = 'io.modelcontextprotocol/tasks';
/** It takes four seconds: the other tests run meanwhile. */
let research: Promise<CliResult>;
const completed = {
  status: 'completed',
  result: { content: [{ type: 'text', text: expect.stringContaining('finally') as string }] },
};

beforeAll(async () => {
  const inner = owned.use(await conformanceHome(token, []));
  const served = owned.use(startPegboard(['serve', '--http', '0'], { home: inner.path }));
  const [innerUrl] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(await served.waitFor(/http:\S+\/mcp/))!;
  home = owned.use(
    await createHome({
      'pegboard.yaml': JSON.stringify({
        serve: { token, mode: 'direct' },
        mcpServers: {
          everything: npmServer('everything'),
          inner: {
            command: process.execPath,
            args: [packageEntry(), '--home', inner.path, 'serve'],
            env: { XDG_STATE_HOME: process.env['XDG_STATE_HOME']! },
          },
          web: { url: innerUrl, headers: { Authorization: `Bearer ${token}` } },
        },
      }),
      'spaces/work/agent/tools/long.md': manifest('long', 'command: cat said'),
    }),
  );
  said = join(home.path, 'spaces/work/said');
  execFileSync('mkfifo', [said]);
  await pegboard(['mcp', 'list'], { home: home.path });
  await start();
  research = pegboard(['call', 'everything.simulate-research-query', 'topic=tea'], { home: home.path });
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
  await owned.disposeAsync();
});

async function start(): Promise<void> {
  serving = startPegboard(['serve', '--http', '0'], { home: home.path, apart: true });
  server.port = await portOf(serving);
}

const portOf = async (running: RunningCli): Promise<number> =>
  Number(/127\.0\.0\.1:(\d+)/.exec(await running.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp/))![1]);

/** A request of the 2026-07-28 protocol, from a client that supports tasks. */
async function ask(method: string, params: Record<string, unknown>, to = server): Promise<any> {
  const body = JSON.parse(callBody('x', {}, 'modern')) as { params: { _meta: object } };
  const _meta = {
    ...body.params._meta,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [extension]: {} } },
  };
  const name = String(params['name'] ?? params['taskId']);
  const { text } = await post(
    to,
    JSON.stringify({ ...body, method, params: { ...params, _meta } }),
    modernHeaders(name, method),
  );
  const { result, error } = JSON.parse(text) as { readonly result?: object; readonly error?: object };
  return result ?? error;
}

/** Polls a task until it has ended. */
const end = (taskId: string): Promise<any> =>
  waitUntil(
    () => ask('tasks/get', { taskId }),
    ({ status }) => status !== 'working' && status !== 'input_required',
  );

describe('a server that answers with tasks', () => {
  test('of the 2026-07-28 protocol is waited for, asked on, and its errors are its own', async () => {
    const { stdout } = await pegboard(['call', 'inner.slow_compute', 'seconds=1', 'label=it'], {
      home: home.path,
    });
    expect(stdout).toContain('computed it');
    const { stderr } = await pegboard(['call', 'inner.protocol_error_job'], { home: home.path });
    expect(stderr).toContain('MCP server "inner" failed a task: broken');
    const call = { name: 'inner__confirm_delete', arguments: { filename: 'f' } };
    const { inputRequests, requestState } = await ask('tools/call', call);
    const [[key, { method }]] = Object.entries(inputRequests) as [[string, { readonly method: string }]];
    expect(method).toBe('elicitation/create');
    const inputResponses = { [key]: { action: 'accept', content: { confirm: true } } };
    expect(await ask('tools/call', { ...call, inputResponses, requestState })).toMatchObject({
      content: [{ text: 'f: accept' }],
    });
  });

  test('of the 2026-07-28 protocol is waited for over HTTP too', async () => {
    const { stdout } = await pegboard(['call', 'web.slow_compute', 'seconds=1', 'label=it'], {
      home: home.path,
    });
    expect(stdout).toContain('computed it');
  });

  test('of the 2025-11-25 protocol can be called by everybody, also where it wants a task', async () => {
    const { stdout } = await research;
    expect(stdout).toContain('tea');
    expect(stdout).toContain('Synthesizing findings');
  });
});

test('a client of the 2025-11-25 protocol begins a task, answers its question and gets its result', async () => {
  const client = new OldClient(
    { name: 'old', version: '1' },
    { capabilities: { elicitation: {}, tasks: {} } },
  );
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { interpretation: 'technical' } };
  });
  await client.connect(
    new OldHttp(new URL(`http://localhost:${server.port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'everything__simulate-research-query')).toMatchObject({
    execution: { taskSupport: 'required' },
  });
  const call = {
    name: 'everything__simulate-research-query',
    arguments: { topic: 'python', ambiguous: true },
  };
  const heard: string[] = [];
  let text = '';
  for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema)) {
    heard.push(message.type);
    if (message.type === 'result') text = JSON.stringify(message.result.content);
    if (message.type === 'error') throw message.error;
  }
  expect(heard[0]).toBe('taskCreated');
  expect(heard.at(-1)).toBe('result');
  expect(asked).toHaveLength(1);
  expect(text).toContain('technical');
  await client.close();
});

describe('a client of the 2026-07-28 protocol that knows tasks', () => {
  test('gets one for any tool that takes 15 seconds, and its result later, also from another host', async () => {
    const clock = createMovedClock({ start: Date.now() });
    await using other = startPegboard(['serve', '--http', '0'], { home: home.path, clock });
    const called = ask('tools/call', { name: 'long', arguments: {} }, { port: await portOf(other), token });
    // The pipe opens when somebody reads from it.
    await using pipe = await open(said, 'w');
    clock.pass(15_000);
    const created = await called;
    expect(created).toMatchObject({ resultType: 'task', status: 'working' });
    const { stdout } = await pegboard(['call', 'background_run', 'mode=list'], { home: home.path });
    expect(stdout).toMatch(/long/);
    await pipe.write('finally');
    await pipe.close();
    expect(await end(created.taskId)).toMatchObject(completed);
  });

  test('learns about one that ended with its host, and can not see tasks of others', async () => {
    const cut = await ask('tools/call', {
      name: 'everything__simulate-research-query',
      arguments: { topic: 'tea' },
    });
    expect(cut).toMatchObject({ resultType: 'task', status: 'working' });
    serving.child.kill('SIGKILL');
    await serving.ended;
    await start();
    expect(await ask('tasks/get', { taskId: cut.taskId })).toMatchObject({
      status: 'failed',
      error: { message: 'Pegboard ended while the task ran.' },
    });
    const forged = `${Buffer.from('{"job":1,"selection":"[null,null]"}').toString('base64url')}.AAAA`;
    expect(await ask('tasks/get', { taskId: forged })).toMatchObject({ code: -32602 });
  });
});
