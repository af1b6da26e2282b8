import { describe, expect, test } from 'vitest';
import type { TurnContext } from '../../../host/api/conversation.ts';
import type { RegisteredTool, ToolCall } from '../../../host/api/tool.ts';
import { addressesIn, addressesNamedIn } from '../../../host/dispatch/provenance/addresses-in.ts';
import { createKnownAddresses } from '../../../host/dispatch/provenance/known-addresses.ts';
import { textResult } from '../../../host/tools/result.ts';
import { expectLinear } from '../../kit/growth.ts';

const parameters = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    state: { type: 'string', enum: ['open', 'closed'] },
    count: { type: 'integer' },
    labels: { type: 'array', items: { type: 'string' } },
    more: { type: 'object' },
    url: { type: 'string' },
    text: { type: 'string' },
    params: { type: 'object' },
    codes: { type: 'array' },
  },
};
const source = (kind: 'mcp' | 'builtin') => ({ kind, module: 'm', name: 'm' });
const server = { id: 'm.list', parameters, relays: true, source: source('mcp') } as unknown as RegisteredTool;
const link = 'https://example.com/issues/7';

const turnOf = (text: string, parent?: TurnContext): TurnContext =>
  ({
    message: { text, source: parent ? 'agent' : 'cli', ...(parent && { parent: { turn: parent } }) },
    conversation: { id: parent ? 2 : 1 },
  }) as unknown as TurnContext;

/** Whether the address in a result of the call is unknown afterwards. */
async function asksAfter(
  args: object,
  { tool = server, said = 'the issues of pegboard', result = `See ${link}.` } = {},
): Promise<boolean> {
  const addresses = createKnownAddresses(undefined);
  const turn = turnOf(said);
  const request = { name: 'list', args, turn } as never;
  await addresses.note({ id: '1', request, tool, args, read: [] }, textResult(result));
  const call = { tool: server, args: { owner: link }, turn } as unknown as ToolCall;
  return (await addresses.unknownIn(call)).length > 0;
}

describe('an address in the result of a server is known when its arguments are', () => {
  test.each([
    {},
    { owner: 'pegboard' },
    { state: 'open', count: 100 },
    { owner: '' },
    { labels: ['issues', 'pegboard'], state: 'closed' },
  ])('%j', async (args) => expect(await asksAfter(args)).toBe(false));
});

describe('and unknown when they may be of the model', () => {
  test.each([
    { owner: 'somebody' },
    { state: 'half' },
    { count: 10_001 },
    { count: 0.5 },
    { count: 1e21 },
    { labels: 'issues of'.split('') },
    { more: { secret: 42 } },
    { more: [[['deep inside']]] },
    { codes: [104, 116, 116, 112, 58, 47, 47, 97, 47] },
    { codes: Array<boolean>(9).fill(true) },
    { labels: Array<string>(9).fill('open') },
    { labels: ['board'] },
  ])('%j', async (args) => expect(await asksAfter(args)).toBe(true));

  test('or it is what the model sent', async () => {
    expect(await asksAfter({ owner: link }, { said: link })).toBe(false);
    expect(await asksAfter({ owner: 'x' }, { said: 'x', result: `${link}x` })).toBe(true);
  });
});

test('a refusal of Pegboard makes none known: it repeats what the model sent', async () => {
  const addresses = createKnownAddresses(undefined);
  const turn = turnOf('hello');
  for (const tool of [
    server,
    { ...server, permission: { kind: 'url', argument: 'url' } } as RegisteredTool,
  ]) {
    const failure = { code: 'PEG_INVALID_ARGUMENTS', stage: 'validate', message: link } as const;
    const request = { name: 'list', args: {}, turn } as never;
    await addresses.note({ id: '1', request, tool, read: [] }, { ...textResult(link), error: failure });
    const call = { tool: server, args: { url: link }, turn } as unknown as ToolCall;
    expect(await addresses.unknownIn(call)).toEqual([link]);
  }
});

test('forwarded words and reactions are not the person’s', async () => {
  const messages = [{ role: 'user', text: `see ${link}`, untrusted: [{ kind: 'person', what: 'Mallory' }] }];
  const addresses = createKnownAddresses({ messages: async () => messages as never });
  const reaction = turnOf(`[User reacted with 👍 to your message: "${link}?secret"]`);
  const unknown = (args: object): Promise<readonly string[]> =>
    addresses.unknownIn({ tool: server, args, turn: reaction } as unknown as ToolCall);
  expect(await unknown({ url: `${link}?secret` })).toEqual([`${link}?secret`]);
  // A forwarded address came from outside as it is; its words are nothing that the person said.
  expect(await unknown({ url: link })).toEqual([]);
  expect(await unknown({ url: link, owner: 'see' })).toEqual([link]);
});

test('long texts are read in time by their length', async () => {
  await expectLinear((length) => {
    const hostile = ['http://a/' + '.'.repeat(length) + 'x', '字'.repeat(length), 'a-'.repeat(length)];
    for (const text of hostile) {
      addressesIn(text);
      addressesNamedIn(text);
    }
  }, 20_000);
});

test('a tool that does not relay makes none known', async () => {
  expect(await asksAfter({}, { tool: { ...server, relays: false } })).toBe(true);
});

test.each(['xhttps://example.com/issues/7', 'https://example.com/issues/77', `${link}?more`])(
  'nor does a part of %s',
  async (result) => expect(await asksAfter({}, { result })).toBe(true),
);

test('what a worker has read is known to its caller, and not to others', async () => {
  const addresses = createKnownAddresses(undefined);
  const outer = turnOf('hello');
  const worker = turnOf('go', outer);
  const request = { name: 'list', args: {}, turn: worker } as never;
  await addresses.note({ id: '1', request, tool: server, args: {}, read: [] }, textResult(link));
  const asked = async (turn: TurnContext): Promise<readonly string[]> =>
    await addresses.unknownIn({ tool: server, args: { text: link }, turn } as unknown as ToolCall);
  expect(await asked(outer)).toEqual([]);
  expect(await asked({ ...outer, conversation: { id: 3 } } as TurnContext)).toEqual([link]);
});

describe('an address that nobody wrote is found in', () => {
  test.each([
    ['a sentence', { text: 'see http://a.example/?q=1!' }],
    ['a list', { labels: ['x', ['https://a.example']] }],
    ['the name of a member', { more: { 'https://a.example/x': 1 } }],
    ['an address of another scheme', { text: 'git+ssh://a.example/x' }],
    ['an address without slashes', { text: 'HTTPS:a.example/x' }],
    ['a name with a path', { text: 'a.example/x?y' }],
    ['a name alone, as an address', { baseUrl: 'a.example' }],
    ['a name alone, as a host', { host: 'data.a.example' }],
    ['what is not all of an address', { text: "https://known.example.com/'secret a.example" }],
    ['a name with a port', { text: 'a.example:80/x' }],
    ['a name in full', { text: 'secret.a.example' }],
    ['a name with a user', { text: 'x@a.example/y' }],
    ['a name with a dot at its end', { text: 'a.example./x' }],
    ['a name with other dots', { text: 'secret。a。a.example/x' }],
    ['an encoded address', { text: 'https%3A%2F%2Fa.example' }],
    ['an address between other characters', { text: '_https://a.example_' }],
    ['an address that is none', { text: 'http://secret^42.a.example' }],
    ['deep inside', JSON.parse('['.repeat(200) + '"//a.example/x"' + ']'.repeat(200)) as object],
  ])('%s', async (_where, args) => {
    const call = { tool: server, args, turn: turnOf('a task') } as unknown as ToolCall;
    expect((await createKnownAddresses(undefined).unknownIn(call)).join(' ')).toMatch(/a\.example/);
  });

  test.each([
    'secret。other。org',
    'secret｡other｡org',
    'other。org/secret',
    '93.184.216.34',
    'other%2eorg',
    'localhost:80',
  ])('or is alone: %s', async (text) => {
    const call = { tool: server, args: { text }, turn: turnOf('a task') } as unknown as ToolCall;
    expect(await createKnownAddresses(undefined).unknownIn(call)).not.toEqual([]);
  });

  test.each([
    { path: '/home/me/notes.md' },
    { text: 'version 1.2.3, at 1.5 or 1.2.3.4.5' },
    { path: 'notes/today.md' },
    { text: 'At 10:30, see README.md and index.ts: done.' },
    { address: '12 Main Street, Springfield' },
    { since: '2026-11-30T10:00:00Z', until: '2026-11-30T10:00:00.5+01:00', at: '10:00:00Z' },
    { query: 'is:open page:2 stars:100 issue:4711', week: '2026-W52-4T10:00', from: 'T09:00' },
  ])('and none in %j', async (args) => {
    const call = { tool: server, args, turn: turnOf('a task') } as unknown as ToolCall;
    expect(await createKnownAddresses(undefined).unknownIn(call)).toEqual([]);
  });
});

describe('a known address is not known', () => {
  test.each([
    { url: "https://example.com/'secret=42" },
    { url: 'https://example.com/ secret=42' },
    { url: 'https://example.com/)secret=42' },
    { url: 'https://example.com/#secret=42' },
    { url: 'https://example.com/secret/../' },
    { url: 'https://EXAMPLE.com/' },
    { url: 'https://example.com/', params: { secret: '42' } },
    { url: 'https://example.com/', params: { n: 42_424_242 } },
    { url: 'https://example.com/', text: 'secret42' },
    { host: 'example.com', text: '/secret42' },
  ])('in %j', async (args) => {
    const turn = turnOf('see https://example.com/');
    const call = { tool: server, args, turn } as unknown as ToolCall;
    expect((await createKnownAddresses(undefined).unknownIn(call)).join(' ')).toMatch(/example\.com/i);
  });
});

test.each([
  ['https://example.com/a_(b)', 'https://example.com/a_(b)'],
  ['(see https://example.com/a_(b))', 'https://example.com/a_(b)'],
  ['„https://example.com/a“', 'https://example.com/a'],
  ['müller.de/x', 'https://xn--mller-kva.de/x'],
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['https://example.com/a?b=1#part', 'https://example.com/a?b=1'],
  ['example.com/a', 'https://example.com/a'],
  ['Look at example.com.', 'https://example.com/'],
  ['(https://example.com/a).', 'https://example.com/a'],
])('a person who writes "%s" has written %s', async (said, address) => {
  const call = { tool: server, args: { url: address }, turn: turnOf(said) } as unknown as ToolCall;
  expect(await createKnownAddresses(undefined).unknownIn(call)).toEqual([]);
});
