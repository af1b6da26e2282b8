import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';
import { startTalkingServer } from '../../../kit/mcp/talking-server.ts';
import { rounds } from '../../../kit/run/tiers.ts';

const count = rounds({ usual: 5, all: 12, soak: 12 });
let home: TestHome;
let serving: RunningCli;
let url: URL;
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  const talking = owned.use(await startTalkingServer());
  home = owned.use(
    await createHome({
      'pegboard.yaml': JSON.stringify({
        serve: { token: 'only-for-this-test', mode: 'direct' },
        mcpServers: { pipe: fixture('talks', String(2 * count)), web: { url: `${talking.url}/mcp` } },
      }),
      'spaces/work/agent/tools/publish.md': manifest(
        'publish',
        'confirm: true\ncommand: echo {{about}}\nparameters:\n  - { name: about, type: string, required: true }',
      ),
    }),
  );
  // From now on the servers' tools are known.
  await pegboard(['mcp', 'list'], { home: home.path });
  await start(0);
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
  await owned.disposeAsync();
});

async function start(port: number): Promise<void> {
  serving = startPegboard(['serve', '--http', String(port)], { home: home.path, apart: true });
  url = new URL(/serving (\S+)/.exec(await serving.waitFor(/serving \S+/))![1]!);
}

/** One of many clients with the same name. `heard` contains all questions and notifications that it got. */
interface SameClient {
  readonly client: Client;
  readonly heard: string[];
  /** Resolves when one of its calls is waiting in its server. */
  readonly begun: Promise<void>;
  readonly talk: (tool: string, about: string, signal?: AbortSignal) => Promise<string>;
}

async function connect(mode: 'legacy' | 'auto', number: number): Promise<SameClient> {
  const heard: string[] = [];
  const begun = Promise.withResolvers<void>();
  const hear = ({ message = '' }: { readonly message?: string | undefined }): void => {
    // The SDK reports its own rounds.
    if (!message.startsWith('Fulfilling input')) heard.push(message);
    if (message.startsWith('waiting')) begun.resolve();
  };
  const client = new Client(
    { name: 'the-same', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    heard.push(params.message);
    return { action: 'accept', content: { name: `client ${number}` } };
  });
  client.setNotificationHandler(
    'notifications/message',
    ({ params }) => void heard.push(String(params.data)),
  );
  const requestInit = { headers: { Authorization: 'Bearer only-for-this-test' } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    client,
    heard,
    begun: begun.promise,
    async talk(tool, about, signal) {
      const options = { onprogress: hear, ...(signal && { signal }) };
      const { content } = await client.callTool({ name: tool, arguments: { about } }, options);
      return (content as { text: string }[]).map(({ text }) => text).join('');
    },
  };
}

const many = (mode: 'legacy' | 'auto'): Promise<SameClient[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => connect(mode, number)));

/** Checks that everything a client got is about its own calls. */
function expectOwn(clients: readonly SameClient[]): void {
  for (const [number, { heard }] of clients.entries())
    expect(heard.filter((text) => !text.includes(`<${number}.`))).toEqual([]);
}

describe.each(['legacy', 'auto'] as const)(
  'of many sessions in mode %s whose clients have one name',
  (mode) => {
    let clients: SameClient[];
    beforeAll(async () => {
      clients = await many(mode);
    });
    afterAll(async () => {
      await Promise.all(clients.map(({ client }) => client.close()));
    });
    const allTalk = (tool: string, inRounds = [0, 1, 2]): Promise<string[]> =>
      Promise.all(
        inRounds.flatMap((round) => clients.map((one, number) => one.talk(tool, `<${number}.${round}>`))),
      );

    test('each is asked by Pegboard about its own calls alone', async () => {
      const results = await allTalk('publish');
      expect(results.map((text) => text.trim())).toEqual(
        [0, 1, 2].flatMap((round) => clients.map((_, number) => `<${number}.${round}>`)),
      );
      for (const { heard } of clients)
        expect(heard.filter((text) => text.includes('work.publish'))).toHaveLength(3);
      expectOwn(clients);
    });

    test('each receives messages of an HTTP server about its own calls only', async () => {
      for (const { heard } of clients) heard.length = 0;
      const results = await allTalk('web__talk');
      for (const [at, text] of results.entries()) {
        expect(text).toContain(`"accept"`);
        expect(text).toContain(`"client ${at % count}"`);
      }
      for (const [number, { heard }] of clients.entries())
        for (const round of [0, 1, 2]) expect(heard).toContain(`web asks: question <${number}.${round}>`);
      expectOwn(clients);
    });

    test('none receives messages of a stdio server while calls of several run', async () => {
      for (const { heard } of clients) heard.length = 0;
      const results = await allTalk('pipe__talk', [0, 1]);
      expectOwn(clients);
      // Nobody was asked, which is said, with what helps.
      for (const text of results) {
        expect(text).toContain('"decline"');
        expect(text).toContain('without anybody having seen it');
        expect(text).toContain('scope: session');
      }
      // Progress says which call it is about.
      for (const [number, { heard }] of clients.entries())
        for (const round of [0, 1]) expect(heard).toContain(`progress <${number}.${round}>`);
    });

    test('none is asked about a call that another one has cancelled', async () => {
      const [first, second] = clients as [SameClient, SameClient];
      for (const { heard } of clients) heard.length = 0;
      const controller = new AbortController();
      const late = first.talk('pipe__late', '<0.late>', controller.signal).catch(() => 'cancelled');
      await first.begun;
      controller.abort();
      expect(await late).toBe('cancelled');
      expect(await second.talk('pipe__now', '<1.now>')).toContain('<1.now>');
      expectOwn(clients);
    });
  },
);

test('sessions of one name that are resumed after a restart are still apart', async () => {
  const clients = await many('legacy');
  await Promise.all(clients.map((one, number) => one.talk('web__talk', `<${number}.before>`)));
  serving.child.kill('SIGKILL');
  await serving.ended;
  await start(Number(url.port));
  for (const { heard } of clients) heard.length = 0;
  const results = await Promise.all(
    clients.flatMap((one, number) => [
      one.talk('web__talk', `<${number}.after>`),
      one.talk('publish', `<${number}.too>`),
    ]),
  );
  for (const [at, text] of results.entries()) expect(text).toContain(`<${Math.floor(at / 2)}.`);
  for (const [number, { heard }] of clients.entries())
    expect(heard).toContain(`web asks: question <${number}.after>`);
  expectOwn(clients);
  await Promise.all(clients.map(({ client }) => client.close()));
});
