import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Question } from '../../../../host/api/ask.ts';
import { openAgentHome } from '../../../kit/homes/agent-home.ts';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';

let home: TestHome;
let serving: RunningCli;
let url: URL;
const owned = new AsyncDisposableStack();
const token = 'only-for-this-test';
const both = { clientCapabilities: ['sampling', 'roots'] };

beforeAll(async () => {
  home = owned.use(
    await createHome({
      'pegboard.yaml': JSON.stringify({
        serve: { token, mode: 'direct' },
        mcpServers: {
          old: { ...fixture('samples'), ...both },
          own: { ...fixture('samples'), ...both, scope: 'session' },
          closed: fixture('samples'),
          new: { ...fixture('modern'), ...both },
        },
      }),
    }),
  );
  await pegboard(['mcp', 'list'], { home: home.path });
  serving = owned.use(startPegboard(['serve', '--http', '0'], { home: home.path }));
  url = new URL(/serving (\S+)/.exec(await serving.waitFor(/serving \S+/))![1]!);
});
afterAll(() => owned.disposeAsync());

type Connected = AsyncDisposable & {
  readonly client: Client;
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<any>;
  roots: readonly { readonly uri: string }[];
};

/** A client that answers as `name`, with a root of that name. */
async function connect(name: string, mode: 'legacy' | 'auto', capabilities: object): Promise<Connected> {
  const client = new Client(
    { name: 'the-same', version: '1' },
    { versionNegotiation: { mode }, capabilities },
  );
  const connected = { roots: [{ uri: `file:///${name}` }] };
  if ('sampling' in capabilities)
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      const content = params.messages[0]!.content as { readonly text: string };
      return {
        role: 'assistant',
        model: name,
        content: { type: 'text', text: `${content.text} ${params.systemPrompt ?? ''} ${params.maxTokens}` },
      };
    });
  if ('roots' in capabilities)
    client.setRequestHandler('roots/list', () => ({ roots: [...connected.roots] }));
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return Object.assign(connected, {
    client,
    async call(tool: string, args: Record<string, unknown> = {}) {
      const { content } = await client.callTool({ name: tool, arguments: args });
      const [block] = content;
      const said = block?.type === 'text' ? block.text : '';
      return /^[[{]/.test(said) ? (JSON.parse(said) as unknown) : said;
    },
    [Symbol.asyncDispose]: () => client.close(),
  });
}

describe.each(['legacy', 'auto'] as const)('a client in mode %s', (mode) => {
  test('answers with its own model, and with its own roots, what a server asks in its call', async () => {
    const offered = { sampling: {}, roots: {} };
    await using red = await connect('red', mode, offered);
    await using blue = await connect('blue', mode, offered);
    const [one, other] = await Promise.all([red.call('new__sample'), blue.call('new__sample')]);
    expect(one).toMatchObject({ model: 'red', content: { text: 'Hello?  1' } });
    expect(other).toMatchObject({ model: 'blue' });
    expect(await red.call('old__sample')).toEqual({
      role: 'assistant',
      model: 'red',
      content: { type: 'text', text: 'Say hello. Be brief. 50' },
    });
    expect(await blue.call('old__roots')).toEqual({ roots: [{ uri: 'file:///blue' }] });
  });

  test('that offers neither is not asked, and a server whose entry allows neither can not ask', async () => {
    await using plain = await connect('plain', mode, {});
    expect(await plain.call('old__sample')).toMatchObject({ code: -32601 });
    const missing = await plain.call('new__sample').catch((cause: unknown) => cause as Error);
    expect(String(missing)).toMatch(/sampling/);
    await using able = await connect('able', mode, { sampling: {}, roots: {} });
    expect(await able.call('closed__sample')).toMatchObject({ code: -32601 });
    expect(await able.call('closed__capabilities')).toEqual({ elicitation: { form: {}, url: {} } });
  });
});

test('with scope: session a server has the roots of its client from the start, and is notified of changes', async () => {
  await using red = await connect('red', 'legacy', { roots: { listChanged: true } });
  await using blue = await connect('blue', 'legacy', { roots: { listChanged: true } });
  const known = (client: Connected) => () => client.call('own__known_roots');
  await expect.poll(known(red)).toEqual([{ uri: 'file:///red' }]);
  await expect.poll(known(blue)).toEqual([{ uri: 'file:///blue' }]);
  red.roots = [{ uri: 'file:///green' }];
  await red.client.sendRootsListChanged();
  await expect.poll(known(red)).toEqual([{ uri: 'file:///green' }]);
  expect(await known(blue)()).toEqual([{ uri: 'file:///blue' }]);
  expect(await red.call('own__capabilities')).toEqual({
    elicitation: { form: {}, url: {} },
    roots: { listChanged: true },
  });
});

describe('an agent of our own', () => {
  const files = {
    '.mcp.json': JSON.stringify({ mcpServers: { s: { ...fixture('samples'), ...both } } }),
  };
  const script = [
    { toolCalls: [{ name: 's__sample', arguments: { text: 'What is 2+2?', maxTokens: 9_999_999 } }] },
    { text: 'four' },
    { text: 'Done.' },
  ];

  test('answers with its model once a person agrees, limited and paid as its turn is', async () => {
    await using home = await openAgentHome(script, { files });
    await home.host.servers.settled();
    const asked: Question[] = [];
    const reply = await home.say('go', {
      ask: async (question) => {
        asked.push(question);
        return { action: 'accept' };
      },
    });
    expect(reply.toolCalls[0]!.result).toContain('"text":"four"');
    const question = asked.find(({ message }) => message === 's wants to ask the model')!;
    expect(question.detail).toBe('system: Be brief.\nuser: What is 2+2?');
    const sent = home.model.requests[1] as { readonly [key: string]: unknown };
    expect(JSON.stringify(sent)).toContain('What is 2+2?');
    expect(JSON.stringify(sent)).not.toContain('"go"');
    expect(JSON.stringify(sent)).toContain('4096');
    const { stdout } = await pegboard(['usage', '--json'], { home: home.home.path });
    expect(JSON.parse(stdout)).toMatchObject({ total: { calls: 3 } });
  });

  test('does not where nobody agrees', async () => {
    await using home = await openAgentHome([script[0]!, { text: 'Done.' }], { files });
    await home.host.servers.settled();
    const reply = await home.say('go', { ask: async () => ({ action: 'decline' }) });
    expect(reply.toolCalls[0]!.result).toContain('"code":-1');
    expect(home.model.requests).toHaveLength(2);
  });
});
