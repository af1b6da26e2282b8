import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { pegboard } from '../../../kit/cli.ts';
import { manifest } from '../../../kit/homes/home.ts';
import { approve, askForToken, beginLogin, redeem, register } from '../../../kit/mcp/login-by-hand.ts';
import {
  connectModern,
  connectOld,
  type ConnectOptions,
  type ForeignClient,
} from '../../../kit/mcp/mcp-clients.ts';
import { startMcpHosts, type McpHost, type McpHosts } from '../../../kit/mcp/mcp-hosts.ts';
import { callBody, modernHeaders, openSession, post } from '../../../kit/mcp/mcp-wire.ts';
import { describePostgres } from '../../../kit/postgres.ts';

let all: McpHosts;
const count = 3;

/** Through the load balancer. */
const connect: { readonly [way: string]: (options?: ConnectOptions) => Promise<ForeignClient> } = {
  'SDK v1': (options) => connectOld(new OldHttp(...where()), options),
  'SDK v2, legacy': (options) => connectModern('legacy', new ModernHttp(...where()), options),
  'SDK v2, modern': (options) => connectModern('auto', new ModernHttp(...where()), options),
};
const ways = Object.entries(connect);
const where = (): [URL, { readonly requestInit: RequestInit }] => [
  new URL(`${all.origin}/mcp`),
  { requestInit: { headers: { Authorization: `Bearer ${all.hosts[0]!.token}` } } },
];
const balanced = (): { port: number; token: string } => ({
  port: all.proxy.port,
  token: all.hosts[0]!.token,
});

const textOf = (result: JsonObject): string => (result['content'] as [{ readonly text: string }])[0].text;
const timesOf = (effect: string): number => all.effects().filter((line) => line === effect).length;
const accept = (content: JsonObject): JsonObject => ({ action: 'accept', content });

/** A request of the 2026-07-28 protocol to one host. */
async function ask(to: { port: number; token: string }, method: string, params: JsonObject): Promise<any> {
  const body = JSON.parse(callBody('x', {}, 'modern')) as { params: { _meta: object } };
  const _meta = {
    ...body.params._meta,
    'io.modelcontextprotocol/clientCapabilities': {
      elicitation: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
  const text = JSON.stringify({ ...body, method, params: { ...params, _meta } });
  const answer = await post(to, text, modernHeaders(String(params['name'] ?? params['taskId']), method));
  const { result, error } = JSON.parse(answer.text) as { readonly result?: object; readonly error?: object };
  return result ?? error;
}

/** Answers all questions of an `input_required`, for the same call. */
function answered(call: JsonObject, asked: any, content: JsonObject): JsonObject {
  const { inputRequests, requestState } = asked;
  const names = Object.keys(inputRequests as object);
  return {
    ...call,
    requestState,
    inputResponses: Object.fromEntries(names.map((name) => [name, accept(content)])),
  };
}

describePostgres('MCP over several hosts', () => {
  beforeAll(async () => {
    all = await startMcpHosts(count);
  });
  afterAll(() => all[Symbol.asyncDispose]());

  test('all hosts have one token, and every client is served by all of them', async () => {
    expect(new Set(all.hosts.map(({ token }) => token)).size).toBe(1);
    expect(new Set(all.hosts.map(({ code }) => code)).size).toBe(count);
    const { code } = await pegboard(['connect', 'cursor', '--http', '3917', '--yes'], {
      home: all.hosts[1]!.home.path,
      env: { HOME: all.folder },
    });
    expect(code).toBe(0);
    expect(await readFile(join(all.folder, '.cursor/mcp.json'), 'utf8')).toContain(all.hosts[0]!.token);
    for (const [, open] of ways) {
      await using client = await open();
      expect((await client.listTools()).map(({ name }) => name)).toContain('where');
      const pids = new Set<string>();
      for (let calls = 0; calls < 2 * count; calls++) pids.add(textOf(await client.call('where')));
      expect(pids).toEqual(new Set(all.hosts.map(({ pid }) => String(pid))));
    }
  });

  test('a confirmation holds once, whichever host gets it', async () => {
    for (const [way, open] of ways) {
      await using client = await open({ answer: () => accept({ answer: 'once' }) });
      const text = `by ${way}`;
      for (let round = 0; round < count + 1; round++)
        expect(textOf(await client.call('deploy', { text: `${text} ${round}` }))).toContain('deployed by');
      for (let round = 0; round < count + 1; round++) expect(timesOf(`deployed ${text} ${round}`)).toBe(1);
    }
  });

  test('several questions of one call are answered over several hosts, with its progress', async () => {
    for (const [way, open] of ways) {
      let asked = 0;
      await using client = await open({ answer: () => accept({ name: `Ada ${++asked}` }) });
      const progress: unknown[] = [];
      const result = await client.call(
        'interview',
        { text: way },
        { onprogress: (one) => progress.push(one) },
      );
      const pids = all.hosts.map(({ pid }) => pid).join('|');
      expect(textOf(result)).toMatch(new RegExp(`^${way}: Ada 1 and Ada 2 in (${pids})$`));
      expect(progress).toMatchObject([{ message: 'answered 1' }, { message: 'answered 2' }]);
      expect(timesOf(`interview ${way}`)).toBe(1);
    }
  });

  test('of one answer that comes to several hosts at once, one counts', async () => {
    const call = { name: 'deploy', arguments: { text: 'raced' } };
    const [first] = all.hosts;
    const asked = await ask(first!, 'tools/call', call);
    expect(asked.resultType).toBe('input_required');
    const again = answered(call, asked, { answer: 'once' });
    const answers = await Promise.all(all.hosts.map((host) => ask(host, 'tools/call', again)));
    expect(answers.filter(({ resultType }) => resultType === 'complete')).toHaveLength(1);
    expect(timesOf('deployed raced')).toBe(1);
    // With other arguments, and made up, it is refused on every host.
    const other = { ...again, arguments: { text: 'other' } };
    for (const host of all.hosts)
      expect(await ask(host, 'tools/call', other)).toMatchObject({ code: -32602 });
  });

  test('a call is cancelled over another host', async () => {
    for (const [way, open] of ways.filter(([name]) => name !== 'SDK v2, modern')) {
      await using client = await open();
      const cancelling = new AbortController();
      const call = client.call('wait', { text: way }, { signal: cancelling.signal });
      await expect.poll(() => all.effects().join()).toContain(`waiting ${way} by`);
      cancelling.abort();
      await expect(call).rejects.toThrow();
      await expect.poll(() => timesOf(`ended ${way}`)).toBe(1);
    }
  });

  test('a session that its client has ended is unknown to every host, at once', async () => {
    const session = await openSession(balanced());
    const list = callBody(undefined, {}, 'legacy');
    for (const host of all.hosts) expect(await post(host, list, session)).toMatchObject({ status: 200 });
    const [first, ...others] = all.hosts;
    const stream = await fetch(`http://127.0.0.1:${others[0]!.port}/mcp`, {
      headers: { ...session, Accept: 'text/event-stream', Authorization: `Bearer ${first!.token}` },
    });
    const headers = { ...session, Authorization: `Bearer ${first!.token}` };
    await fetch(`http://127.0.0.1:${first!.port}/mcp`, { method: 'DELETE', headers });
    for (const host of [...others, first!])
      expect(await post(host, list, session)).toMatchObject({ status: 404 });
    // Its stream on another host ends too.
    expect(await stream.text()).toBeDefined();
  });

  test('a task is followed, answered and cancelled on other hosts', async () => {
    const [one, two, three] = all.hosts as [McpHost, McpHost, McpHost];
    const { taskId } = await ask(one, 'tools/call', { name: 'survey', arguments: { text: 'tea' } });
    await expect.poll(() => ask(two, 'tasks/get', { taskId })).toMatchObject({ status: 'input_required' });
    const { inputRequests } = await ask(three, 'tasks/get', { taskId });
    const [name] = Object.keys(inputRequests as object);
    expect(
      await ask(two, 'tasks/update', { taskId, inputResponses: { [name!]: accept({ name: 'Ada' }) } }),
    ).toMatchObject({ resultType: 'complete' });
    await expect
      .poll(() => ask(three, 'tasks/get', { taskId }))
      .toMatchObject({ status: 'completed', result: { content: [{ text: `tea: Ada in ${one.pid}` }] } });

    const { taskId: waiting } = await ask(one, 'tools/call', { name: 'wait', arguments: { text: 'task' } });
    await expect.poll(() => all.effects().join()).toContain(`waiting task by ${one.pid}`);
    await ask(two, 'tasks/cancel', { taskId: waiting });
    expect(await ask(three, 'tasks/get', { taskId: waiting })).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => timesOf('ended task')).toBe(1);
  });

  test('a task of the older protocol asks its client over another host', async () => {
    const client = new OldClient(
      { name: 'old', version: '1' },
      { capabilities: { elicitation: {}, tasks: {} } },
    );
    client.setRequestHandler(ElicitRequestSchema, () => accept({ name: 'Ada' }) as never);
    await client.connect(new OldHttp(...where()));
    await client.listTools();
    const call = { name: 'survey', arguments: { text: 'old task' } };
    let text = '';
    for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema)) {
      if (message.type === 'result') text = JSON.stringify(message.result.content);
      if (message.type === 'error') throw message.error;
    }
    expect(text).toContain('old task: Ada in');
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks).toHaveLength(1);
    await client.close();
  });

  test('a client logs in over several hosts, and is logged out on all', async () => {
    const { origin, hosts } = all;
    const { body: registered } = await register(origin);
    const login = beginLogin(origin, registered.client_id);
    // A code of any host lets it in.
    const back = await approve(login.page, hosts[2]!.code);
    const { body: tokens } = await redeem(origin, login, back.searchParams.get('code')!);
    expect((await redeem(origin, login, back.searchParams.get('code')!)).status).toBe(400);
    const use = async (token: string): Promise<readonly number[]> => {
      const body = callBody('where', {}, 'modern');
      const statuses = hosts.map(({ port }) => post({ port, token }, body, modernHeaders('where')));
      return (await Promise.all(statuses)).map(({ status }) => status);
    };
    // The same code twice revokes what came of it.
    expect(await use(tokens.access_token)).toEqual([401, 401, 401]);
    const again = beginLogin(origin, registered.client_id);
    const { body: valid } = await redeem(
      origin,
      again,
      (await approve(again.page, hosts[0]!.code)).searchParams.get('code')!,
    );
    expect(await use(valid.access_token)).toEqual([200, 200, 200]);
    const { body: refreshed } = await askForToken(origin, {
      grant_type: 'refresh_token',
      client_id: registered.client_id,
      refresh_token: valid.refresh_token,
    });
    expect(await use(refreshed.access_token)).toEqual([200, 200, 200]);
    const home = hosts[1]!.home.path;
    const { stdout } = await pegboard(['approvals', 'list'], { home });
    const [id] = /clients\/\S+/.exec(stdout)!;
    expect((await pegboard(['approvals', 'revoke', id], { home })).code).toBe(0);
    expect(await use(refreshed.access_token)).toEqual([401, 401, 401]);
  });

  test('wrong codes are counted over all hosts', async () => {
    const { body: registered } = await register(all.origin);
    const { page } = beginLogin(all.origin, registered.client_id);
    const { createBrowser } = await import('../../../kit/servers/browser.ts');
    const browser = createBrowser();
    let form = await browser.open(page);
    for (let tries = 1; tries < 5; tries++)
      form = await browser.submit(form, { code: 'WRONG-CODES', decision: 'allow' });
    const { url } = await browser.submit(form, { code: 'WRONG-CODES', decision: 'allow' });
    expect(url.searchParams.get('error')).toBe('access_denied');
  });

  test('whoever has the stream is told of new tools', async () => {
    for (const [way, open] of ways) {
      await using client = await open();
      // Each host that restores the session says that tools may have changed.
      for (let calls = 0; calls < count; calls++) await client.call('where');
      if (client.era === 'legacy') await client.toolsChanged();
      const changed = client.toolsChanged();
      const name = `added-${ways.findIndex(([other]) => other === way)}`;
      for (const { home } of all.hosts)
        await home.write(`spaces/shared/agent/tools/${name}.md`, manifest(name, 'command: echo new'));
      await changed;
      await expect.poll(async () => (await client.listTools()).map((tool) => tool['name'])).toContain(name);
    }
  });

  test('the end of the host that has a call is said in words, and nothing runs twice', async () => {
    const [one, two, three] = all.hosts as [McpHost, McpHost, McpHost];
    const unread = { name: 'deploy', arguments: { text: 'unread' } };
    const begun = { name: 'hang', arguments: { text: 'begun' } };
    const [askedFirst, askedLater] = [
      await ask(one, 'tools/call', unread),
      await ask(one, 'tools/call', begun),
    ];
    const cut = ask(two, 'tools/call', answered(begun, askedLater, { answer: 'once' }));
    await expect.poll(() => all.effects().join()).toContain(`begun begun by ${one.pid}`);
    await one.kill();
    expect(await cut).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('is not known, and it is not repeated') as string }],
    });
    for (const host of [two, three])
      expect(await ask(host, 'tools/call', answered(unread, askedFirst, { answer: 'once' }))).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('the call was not continued') as string }],
      });
    expect(timesOf('deployed unread')).toBe(0);
    await one.start();
  });

  test('sessions, tokens and tasks outlive a restart of all hosts', async () => {
    await using old = await connect['SDK v1']!({ answer: () => accept({ answer: 'once' }) });
    await using modern = await connect['SDK v2, modern']!({ answer: () => accept({ answer: 'once' }) });
    const { token } = all.hosts[0]!;
    const { taskId } = await ask(all.hosts[0]!, 'tools/call', { name: 'wait', arguments: { text: 'cut' } });
    for (const host of all.hosts) await host.kill();
    for (const host of all.hosts) await host.start();
    expect(all.hosts[0]!.token).toBe(token);
    for (const client of [old, modern])
      expect(textOf(await client.call('deploy', { text: `after ${client.era}` }))).toContain(
        'deployed after',
      );
    expect(await ask(all.hosts[1]!, 'tasks/get', { taskId })).toMatchObject({ status: 'failed' });
  });
});
