import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Upstream } from '../../../../host/api/mcp/upstream.ts';
import { PegboardError } from '../../../../host/core/errors.ts';
import type { ServedHost } from '../../../../plugins/builtin-mcp-server/served-host.ts';
import { serveHttp, type HttpServer } from '../../../../plugins/builtin-mcp-server/http/http.ts';
import { fixtureUpstream, type FixtureUpstream } from '../../../fixtures/conformance/upstream.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';

let first: FixtureUpstream;
let second: FixtureUpstream;
let upstreams: Upstream[];
let host: ServedHost;
let server: HttpServer;

beforeEach(async () => {
  first = fixtureUpstream('first');
  second = fixtureUpstream('second');
  upstreams = [first, second];
  const own = memorySource([echoTool()], { module: 'first' });
  host = await servedHost(own, { upstreams, presets: { one: { allowed: ['first'] } } });
  server = await serveHttp(host, { port: 0 });
});
afterEach(() => server.close());

interface Heard {
  readonly updated: string[];
  /** Resolves at the next notification. */
  next(): Promise<void>;
}

async function connect(mode: 'legacy' | 'auto', path = ''): Promise<Client & Heard> {
  let heard = Promise.withResolvers<void>();
  const updated: string[] = [];
  const onChanged = (): void => heard.resolve();
  const list = { autoRefresh: false, debounceMs: 0, onChanged };
  const client = new Client(
    { name: 'new', version: '1' },
    { versionNegotiation: { mode }, listChanged: { prompts: list, resources: list } },
  );
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
    heard.resolve();
  });
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), { requestInit }));
  const next = (): Promise<void> => heard.promise.finally(() => (heard = Promise.withResolvers()));
  return Object.assign(client, { updated, next });
}

describe.each(['legacy', 'auto'] as const)('a client in mode %s', (mode) => {
  test('sees the resources of all servers; a URI of two servers is distinguished', async () => {
    const client = await connect(mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'test://static-text',
      'test://static-binary',
      'test://watched-resource',
      'second+test://static-text',
      'second+test://static-binary',
      'second+test://watched-resource',
    ]);
    const uri = 'second+test://static-text';
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      { uri, mimeType: 'text/plain', text: expect.stringContaining('static text') as string },
    ]);
    await client.close();
  });

  test('reads what only a template promises', async () => {
    const client = await connect(mode);
    expect((await client.listResourceTemplates()).resourceTemplates[0]).toMatchObject({
      uriTemplate: 'test://template/{id}/data',
    });
    const { contents } = await client.readResource({ uri: 'test://template/7/data' });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('"id":"7"') as string });
    await client.close();
  });

  test('gets an error for a resource that does not exist', async () => {
    const client = await connect(mode);
    await expect(client.readResource({ uri: 'test://nowhere' })).rejects.toMatchObject({
      code: -32602,
      data: { uri: 'test://nowhere' },
    });
    await client.close();
  });

  test('sees the prompts of all servers; the second of a name carries its server’s', async () => {
    const client = await connect(mode);
    const names = (await client.listPrompts()).prompts.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['test_simple_prompt', 'test_prompt_with_arguments']);
    expect(names).toContain('second__test_simple_prompt');
    const args = { arg1: 'x', arg2: 'y' };
    for (const name of [
      'test_prompt_with_arguments',
      'first__test_prompt_with_arguments',
      'second__test_prompt_with_arguments',
    ]) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(messages[0]!.content).toMatchObject({ text: "Prompt with arguments: arg1='x', arg2='y'" });
    }
    await expect(client.getPrompt({ name: 'test_simple_promt' })).rejects.toThrow(
      'Did you mean test_simple_prompt',
    );
    await client.close();
  });

  test('completes arguments of prompts and templates', async () => {
    const client = await connect(mode);
    const argument = { name: 'arg1', value: 'pa' };
    const ofPrompt = await client.complete({
      ref: { type: 'ref/prompt', name: 'second__test_prompt_with_arguments' },
      argument,
    });
    expect(ofPrompt.completion.values).toEqual(['pa…']);
    const ofTemplate = await client.complete({
      ref: { type: 'ref/resource', uri: 'test://template/{id}/data' },
      argument,
    });
    expect(ofTemplate.completion.values).toEqual(['pa…']);
    await client.close();
  });

  test('is notified that prompts and resources changed', async () => {
    const client = await connect(mode);
    let heard = client.next();
    first.emit({ type: 'prompts_changed' });
    await heard;
    heard = client.next();
    second.emit({ type: 'resources_changed' });
    await heard;
    await client.close();
  });

  test('sees only the server of its preset', async () => {
    const client = await connect(mode, '/one');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain('second+test://static-text');
    await client.close();
  });

  test("keeps its list when one of the servers fails, and gets that server's error", async () => {
    const refuses = new PegboardError('PEG_SERVER_ERROR', 'MCP server "second" refused: busy', {
      data: { code: -32050, message: 'busy' },
    });
    second.listPrompts = () => Promise.reject(refuses);
    first.getPrompt = () => Promise.reject(refuses);
    const client = await connect(mode);
    expect((await client.listPrompts()).prompts).toHaveLength(5);
    await expect(client.getPrompt({ name: 'test_simple_prompt' })).rejects.toMatchObject({ code: -32050 });
    await client.close();
  });
});

test('a legacy client is notified of resources that it subscribed to, until it unsubscribes', async () => {
  const client = await connect('legacy');
  await client.listResources();
  await client.subscribeResource({ uri: 'test://watched-resource' });
  expect([...first.subscribed]).toEqual(['test://watched-resource']);
  const heard = client.next();
  first.emit({ type: 'resource_updated', uri: 'test://static-text' });
  first.emit({ type: 'resource_updated', uri: 'test://watched-resource' });
  await heard;
  expect(client.updated).toEqual(['test://watched-resource']);
  await client.unsubscribeResource({ uri: 'test://watched-resource' });
  expect([...first.subscribed]).toEqual([]);
  await client.close();
});

test('a modern client is notified of resources that it listens for', async () => {
  const client = await connect('auto');
  await client.listResources();
  const uri = 'second+test://watched-resource';
  const subscribed = Promise.withResolvers<void>();
  const subscribe = second.subscribe.bind(second);
  second.subscribe = (own) => subscribe(own).finally(() => subscribed.resolve());
  const listening = await client.listen({ resourceSubscriptions: [uri] });
  await subscribed.promise;
  expect([...second.subscribed]).toEqual(['test://watched-resource']);
  const heard = client.next();
  first.emit({ type: 'resource_updated', uri: 'test://watched-resource' });
  second.emit({ type: 'resource_updated', uri: 'test://watched-resource' });
  await heard;
  expect(client.updated).toEqual([uri]);
  const gone = Promise.withResolvers<void>();
  const unsubscribe = second.unsubscribe.bind(second);
  second.unsubscribe = (own) => unsubscribe(own).finally(() => gone.resolve());
  await listening.close();
  await gone.promise;
  expect([...second.subscribed]).toEqual([]);
  await client.close();
});

test('capabilities are what there is: without upstreams only tools', async () => {
  const alone = await serveHttp(await servedHost([echoTool()]), { port: 0 });
  const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { Authorization: `Bearer ${alone.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(alone.url), { requestInit }));
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
  await client.close();
  await alone.close();
});

test('a server that comes later is news', async () => {
  upstreams.pop();
  await host.registry.add(memorySource([], { module: 'x' }));
  const client = await connect('auto');
  const heard = client.next();
  upstreams.push(second);
  await host.registry.add(memorySource([], { module: 'second' }));
  await heard;
  expect((await client.listPrompts()).prompts).toHaveLength(10);
  await client.close();
});
