import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedCall } from '../../../host/testing/index.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { anna } from '../../kit/telegram/fake-bot-api.ts';
import { openPlantedHome, type PlantedHome } from './home.ts';
import { canariesIn, canariesInFiles } from './scan.ts';

const plans: (readonly ScriptedCall[])[] = [];
/** A message that makes the model begin with these calls, without naming them. */
const calling = (...calls: readonly ScriptedCall[]): string => `CALL ${plans.push(calls) - 1}`;

let planted: PlantedHome;
beforeAll(async () => {
  // A model that makes the given calls, and then reveals every secret in small pieces.
  planted = await openPlantedHome(({ messages }) => {
    const last = messages.at(-1) as { readonly role: string; readonly content: unknown };
    const [, plan] = /CALL (\d+)/.exec(JSON.stringify(last.content)) ?? [];
    if (last.role === 'user' && plan !== undefined) return { toolCalls: plans[Number(plan)]!, chunks: 5 };
    // An argument appears where it was given, and nowhere afterwards.
    const { password, ...lasting } = planted.canaries;
    const all = [...Object.values(lasting), ...(plans.length === 1 ? [password!] : [])];
    const text = `They are ${all.join(', ')} and ${all.map((value) => Buffer.from(value).toString('base64')).join(', ')}.`;
    return { text, thinking: text, chunks: 400 };
  });
});
afterAll(() => planted[Symbol.asyncDispose]());

const found = (text: string): string[] => canariesIn(text, planted.canaries);
/** A command's output on both streams. */
const run = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await pegboard(args, planted.cli);
  return `${stdout}\n${stderr}`;
};
const ofModel = (): string => JSON.stringify(planted.model.requests);

test('the scanner itself finds what is hidden in an encoding', () => {
  const value = planted.canaries['stored']!;
  const ways = [
    value,
    Buffer.from(`a${value}b`).toString('base64'),
    Buffer.from(value).toString('hex').toUpperCase(),
    encodeURIComponent(value),
    `${value.slice(0, 7)}%${value.charCodeAt(7).toString(16)}${value.slice(8)}`,
    JSON.stringify(value).replaceAll('/', '\\/'),
    value.replaceAll(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
    encodeURIComponent(Buffer.from(value).toString('base64')),
  ];
  expect(ways.map(found)).toEqual(ways.map(() => ['stored']));
});

test.each(
  [
    'everything --debug',
    'everything --json',
    'pieces',
    'long --json',
    'fail --debug',
    'fail --json',
    'progress',
  ].map((line) => line.split(' ')),
)('a tool that tells %s at the terminal tells no secret', async (how, ...options) => {
  const shown = await run('call', 'work.tell', `how=${how}`, ...options);
  expect(shown).toContain('[secret ');
  expect(found(shown)).toEqual([]);
});

test('structured output, and arguments that are called a password, tell none', async () => {
  const structured = await run('call', 'work.tell-json', '--json');
  expect(structured).toMatch(/"structured": \{\s*"\[secret STORED_VALUE\]"/);
  expect(found(structured)).toEqual([]);
  const login = await run(
    'call',
    'work.login',
    'user=ada',
    `password=${planted.canaries['password']!}`,
    '--json',
  );
  expect(login).toContain('ada came with [secret password]');
  expect(found(login)).toEqual([]);
});

test.each(['tell', 'refuse'])('an MCP server that %ss tells none at the terminal', async (tool) => {
  const shown = await run('call', `local.${tool}`, '--json', '--yes');
  expect(shown).toContain(`"tool": "local.${tool}"`);
  expect(found(shown)).toEqual([]);
});

test('what is sent to a server over HTTP comes back without its header', async () => {
  const shown = await run('call', 'remote.whoami', '--json', '--yes');
  expect(shown).toContain('[secret');
  expect(found(shown)).toEqual([]);
});

test('neither a model nor who talks to it gets one, whatever it says and its tools return', async () => {
  const { canaries } = planted;
  const tools = [
    { name: 'tell', arguments: { how: 'everything' } },
    { name: 'tell', arguments: { how: 'fail' } },
    { name: 'login', arguments: { user: 'ada', password: canaries['password']! } },
    { name: 'local__tell', arguments: {} },
    { name: 'local__refuse', arguments: {} },
    { name: 'remote__whoami', arguments: {} },
    { name: 'secret_store', arguments: { name: 'TOLD', value: canaries['toldtoagent']! } },
    { name: 'memory_store', arguments: { content: `The password is ${canaries['stored']!}` } },
    {
      name: 'background_run',
      arguments: { mode: 'start', tool: 'work.tell', params: { how: 'everything' } },
    },
  ];
  const json = await run('chat', calling(...tools), '--json', '--yes', '--agent', 'work');
  expect(json).toContain('[secret STORED_VALUE]');
  expect(found(json)).toEqual([]);
  // Known secrets are also removed from messages of people.
  const plain = await run('chat', `${canaries['stored']!} ${calling(tools[0]!)}`, '--yes', '--agent', 'work');
  expect(plain).toContain('They are');
  expect(found(plain)).toEqual([]);
  expect(planted.model.refusals).toEqual([]);
  expect(found(ofModel())).toEqual([]);
});

test('a client on stdio gets none: not in lists, results, progress, logs, resources or prompts', async () => {
  await using server = startPegboard(['serve', '--stdio', '--mode', 'direct'], planted.cli);
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<void> => {
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    await server.waitFor(new RegExp(`"id":${id}\\b`));
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  server.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask('logging/setLevel', { level: 'debug' });
  const call = (name: string, args: object = {}): Promise<void> =>
    ask('tools/call', { name, arguments: args, _meta: { progressToken: `p${id}` } });
  for (const tool of ['tell', 'refuse', 'report', 'log']) await call(`local__${tool}`);
  for (const how of ['everything', 'fail', 'progress']) await call('tell', { how });
  await call('login', { user: 'ada', password: planted.canaries['password']! });
  await ask('tools/list');
  await ask('resources/list');
  await ask('resources/templates/list');
  await ask('resources/read', { uri: 'tells://file' });
  await ask('prompts/list');
  await ask('prompts/get', { name: 'local__ask' });
  server.child.stdin.end();
  const { stdout, stderr } = await server.ended;
  expect(stdout).toContain('notifications/progress');
  expect(stdout).toContain('notifications/message');
  expect(found(stdout)).toEqual([]);
  expect(found(stderr)).toEqual([]);
  const said = stdout.split('\n').map((line) => /"message":"(.*?)"/.exec(line)?.[1] ?? '');
  expect(found(said.join(''))).toEqual([]);
});

test('a client over HTTP gets none, and the token of the server is shown nowhere', async () => {
  await using server = startPegboard(['serve', '--http', '0', '--mode', 'direct'], planted.cli);
  const [, url] = /(http:\/\/\S+\/mcp)/.exec(await server.waitFor(/\/mcp/))!;
  const headers = {
    authorization: `Bearer ${planted.canaries['bearer']!}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'tell',
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'tell', arguments: { how: 'everything' }, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await fetch(url!, { method: 'POST', headers, body });
  const text = await answer.text();
  expect(text).toContain('[secret STORED_VALUE]');
  expect(found(text)).toEqual([]);
  server.child.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  expect(found(stdout + stderr)).toEqual([]);
});

test('a chat in Telegram gets none, in messages and in questions', async () => {
  const { telegram, cli } = planted;
  await using host = startPegboard(['start'], cli);
  await telegram.until(() => telegram.calls.some(({ method }) => method === 'getUpdates'));
  const send = (text: string): Promise<unknown> => {
    const before = telegram.sentTo(anna.id).length;
    telegram.write(anna, text);
    return telegram.until(() =>
      telegram
        .sentTo(anna.id)
        .slice(before)
        .some((one) => one.text.endsWith('.')),
    );
  };
  const { stored } = planted.canaries;
  const message = { channel: 'telegram', chat: String(anna.id), text: stored };
  await send(calling({ name: 'channel_send', arguments: message }));
  await send(
    calling({ name: 'tell', arguments: { how: 'everything' } }, { name: 'local__refuse', arguments: {} }),
  );
  telegram.write(anna, calling({ name: 'bash', arguments: { command: `echo ${stored!}` } }));
  const question = await telegram.until(() =>
    telegram.sentTo(anna.id).find(({ buttons }) => buttons.length > 0),
  );
  expect(question.text).toContain('[secret STORED_VALUE]');
  expect(found(question.text)).toEqual([]);
  host.child.kill('SIGTERM');
  const { stdout, stderr } = await host.ended;
  expect(found(stdout + stderr)).toEqual([]);
  expect(found(JSON.stringify([telegram.calls, telegram.messages]))).toEqual([]);
  expect(found(ofModel())).toEqual([]);
});

const commands = [
  'doctor',
  'status --json',
  'tools --json',
  'inject --json --query secrets',
  'mcp list --json',
  'logs -n 10000',
  'logs --audit -n 10000',
  'call no.such.tool --debug --json',
];
test.each(commands)('pegboard %s tells none', async (line) => {
  expect(found(await run(...line.split(' ')))).toEqual([]);
});

test('no file has one but those that are there to keep it, and a backup has none', async () => {
  const { home, canaries, cli } = planted;
  const written = ['pegboard.yaml', '.env', 'spaces', 'data/secrets', 'data/mcp/oauth'];
  expect(canariesInFiles(home.path, canaries, written)).toEqual([]);
  const folder = join(home.path, 'copy');
  const { code, stderr } = await pegboard(['backup', folder], cli);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(canariesInFiles(folder, canaries, ['pegboard.yaml', 'spaces'])).toEqual([]);
});
