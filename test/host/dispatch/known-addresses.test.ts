import { describe, expect, test } from 'vitest';
import type { TurnContext } from '../../../host/api/conversation.ts';
import type { RegisteredTool, ToolCall } from '../../../host/api/tool.ts';
import { createKnownAddresses } from '../../../host/dispatch/known-addresses.ts';
import { textResult } from '../../../host/tools/result.ts';

const parameters = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    state: { type: 'string', enum: ['open', 'closed'] },
    count: { type: 'integer' },
    labels: { type: 'array', items: { type: 'string' } },
    more: { type: 'object' },
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
  return (await addresses.unknownIn(call)) !== undefined;
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
  ])('%j', async (args) => expect(await asksAfter(args)).toBe(true));

  test('or it is what the model sent', async () => {
    expect(await asksAfter({ owner: link }, { said: link })).toBe(false);
    expect(await asksAfter({ owner: 'x' }, { said: 'x', result: `${link}x` })).toBe(true);
  });
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
  const asked = async (turn: TurnContext): Promise<string | undefined> =>
    await addresses.unknownIn({ tool: server, args: { text: link }, turn } as unknown as ToolCall);
  expect(await asked(outer)).toBeUndefined();
  expect(await asked({ ...outer, conversation: { id: 3 } } as TurnContext)).toBe(link);
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
    ['deep inside', JSON.parse('['.repeat(200) + '"//a.example/x"' + ']'.repeat(200)) as object],
  ])('%s', async (_where, args) => {
    const call = { tool: server, args, turn: turnOf('a task') } as unknown as ToolCall;
    expect(await createKnownAddresses(undefined).unknownIn(call)).toMatch(/a\.example/);
  });

  test.each([
    { path: '/home/me/notes.md' },
    { path: 'notes/today.md' },
    { text: 'At 10:30, see README.md and index.ts: done.' },
    { address: '12 Main Street, Springfield' },
  ])('and none in %j', async (args) => {
    const call = { tool: server, args, turn: turnOf('a task') } as unknown as ToolCall;
    expect(await createKnownAddresses(undefined).unknownIn(call)).toBeUndefined();
  });
});

test.each([
  ['https://example.com/a?b=1#part', 'https://example.com/a?b=1'],
  ['example.com/a', 'https://example.com/a'],
  ['Look at example.com.', 'https://example.com/'],
  ['(https://example.com/a).', 'https://example.com/a'],
])('a person who writes "%s" has written %s', async (said, address) => {
  const call = { tool: server, args: { url: address }, turn: turnOf(said) } as unknown as ToolCall;
  expect(await createKnownAddresses(undefined).unknownIn(call)).toBeUndefined();
});
