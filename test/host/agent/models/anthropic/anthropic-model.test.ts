import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../../../host/api/model.ts';
import { createAnthropicModel } from '../../../../../host/agent/models/anthropic/anthropic-model.ts';
import { pegboard } from '../../../../kit/cli.ts';
import { dot } from '../../../../kit/data/images.ts';
import { createHome, manifest } from '../../../../kit/homes/home.ts';
import { ask, readFile, user } from '../../../../kit/servers/scripted-model-client.ts';
import {
  startFakeAnthropic,
  type AnthropicScript,
  type FakeAnthropic,
} from '../../../../kit/servers/fake-anthropic.ts';

const modelAt = ({ baseUrl }: FakeAnthropic) =>
  createAnthropicModel({
    id: 'anthropic/claude',
    name: 'claude',
    contextWindow: 200_000,
    baseUrl,
    apiKey: 'key-1',
  });

test('an answer streams in and comes whole, with calls as they were written and what the cache saved', async () => {
  await using server = await startFakeAnthropic([
    {
      text: 'Let me look.',
      toolUse: [{ name: 'read_file', input: '{"path": "ä/b.txt", "lines": 9007199254740993}' }],
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 20,
        cache_read_input_tokens: 300,
        output_tokens: 1,
      },
    },
  ]);
  const { reply, events, heard } = await ask(modelAt(server));
  expect(heard).toBe('Let me look.');
  expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
  expect(reply).toEqual({
    text: 'Let me look.',
    toolCalls: [
      { id: 'toolu_0', name: 'read_file', arguments: '{"path": "ä/b.txt", "lines": 9007199254740993}' },
    ],
    usage: { input: 330, output: 7, cached: 300 },
    model: 'anthropic/claude',
    finish: 'tool_calls',
  });
  expect(server.headers[0]).toMatchObject({ authorization: 'Bearer key-1' });
});

const history: readonly ModelMessage[] = [
  { role: 'system', text: 'You help.' },
  { role: 'system', text: '' },
  user('Look at it'),
  {
    role: 'assistant',
    text: '',
    toolCalls: [
      { id: 'call:1', name: 'filesystem.read', arguments: '{"n": 12345678901234567890}' },
      { id: 'call:2', name: 'read_file', arguments: 'broken' },
    ],
  },
  {
    role: 'tool',
    callId: 'call:1',
    name: 'filesystem.read',
    content: [
      { type: 'image', mimeType: 'image/png', data: dot(0) },
      { type: 'text', text: 'a dot' },
    ],
  },
  { role: 'tool', callId: 'call:2', name: 'read_file', content: [] },
  user('And now?'),
];

test('a conversation of any shape is one that the API takes, with numbers as they were written', async () => {
  await using server = await startFakeAnthropic([{ text: 'Good.' }]);
  const { reply } = await ask(modelAt(server), { messages: history, tools: [readFile] });
  expect(reply.text).toBe('Good.');
  const [{ system, messages, tools }] = server.requests as [FakeAnthropic['requests'][number]];
  expect(system).toMatchObject([{ text: 'You help.', cache_control: { type: 'ephemeral' } }]);
  expect(tools).toMatchObject([{ name: 'read_file', cache_control: { type: 'ephemeral' } }]);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(messages[1]!.content).toMatchObject([
    { type: 'tool_use', id: 'call_1', name: 'filesystem__read' },
    { type: 'tool_use', id: 'call_2', input: { unreadable: 'broken' } },
  ]);
  expect(messages[2]!.content).toMatchObject([
    {
      type: 'tool_result',
      tool_use_id: 'call_1',
      content: [{ type: 'image' }, { type: 'text', text: 'a dot' }],
    },
    { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: '(empty)' }] },
    { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
  ]);
  expect(server.bodies[0]).toContain('12345678901234567890');
});

test('what the next request has in common with this one ends at the same breakpoint', async () => {
  await using server = await startFakeAnthropic([{ text: 'One.' }, { text: 'Two.' }]);
  const first: ModelMessage[] = [{ role: 'system', text: 'You help.' }, user('Hello')];
  await ask(modelAt(server), { messages: first, tools: [readFile] });
  await ask(modelAt(server), {
    messages: [...first, { role: 'assistant', text: 'One.' }, user('Go on')],
    tools: [readFile],
  });
  const [one, two] = server.requests;
  expect([two!.tools, two!.system, two!.messages[0]]).toEqual([one!.tools, one!.system, one!.messages[0]]);
});

test.each([
  [
    { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
    'PEG_MODEL_REFUSED',
    'invalid x-api-key. Check the key',
  ],
  [
    { status: 529, type: 'overloaded_error', message: 'Overloaded' },
    'PEG_MODEL_UNAVAILABLE',
    'answered 529: Overloaded',
  ],
  [
    {
      status: 400,
      type: 'invalid_request_error',
      message: 'prompt is too long: 208310 tokens > 200000 maximum',
    },
    'PEG_MODEL_REFUSED',
    'prompt is too long',
  ],
])('%j is said in its words', async (error, code, message) => {
  await using server = await startFakeAnthropic([{ error }]);
  await expect(ask(modelAt(server))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message) as string,
  });
});

test('an error in the middle of a stream, and a stream that breaks off, may be tried again', async () => {
  await using server = await startFakeAnthropic([
    { text: 'Half an', errorInStream: { type: 'overloaded_error', message: 'Overloaded' } },
    { text: 'Half an', cutOff: true },
  ]);
  await expect(ask(modelAt(server))).rejects.toMatchObject({ code: 'PEG_MODEL_UNAVAILABLE' });
  await expect(ask(modelAt(server))).rejects.toMatchObject({ code: 'PEG_MODEL_UNAVAILABLE' });
});

test('a model that gives shorter answers is asked for no more than that', async () => {
  await using server = await startFakeAnthropic([
    {
      error: {
        status: 400,
        type: 'invalid_request_error',
        message: 'max_tokens: 16384 > 4096, which is the maximum allowed number of output tokens for claude',
      },
    },
    { text: 'Short.' },
    { text: 'Short again.' },
  ]);
  const model = modelAt(server);
  await ask(model);
  await ask(model);
  expect(server.requests.map(({ max_tokens: limit }) => limit)).toEqual([16_384, 4096, 4096]);
});

describe('after a refusal for an image', () => {
  const refusal = (message: string): AnthropicScript => ({
    error: { status: 400, type: 'invalid_request_error', message },
  });
  const images = (...shades: readonly number[]) =>
    shades.map((shade) => ({ type: 'image', data: dot(shade), mimeType: 'image/png' }) as const);
  const left = '[image, image/png, not shown to this model]';
  /** Of each request: the shades of the images that it holds in its first message, and the texts. */
  const sentTo = ({ requests }: FakeAnthropic) =>
    requests.map(({ messages }) =>
      messages[0]!.content.map((block) => {
        const { source } = block as { readonly source?: { readonly data: string } };
        return source ? [1, 2, 3].find((shade) => source.data === dot(shade)) : block.text;
      }),
    );

  test('those that may be at fault are left out, and later ones are shown', async () => {
    const faulty = refusal('messages.0.content.1.image.source.base64: Could not process image');
    await using server = await startFakeAnthropic([
      { text: 'Red.' },
      faulty,
      { text: 'Hm.' },
      { text: 'Blue.' },
      faulty,
      { text: 'No.' },
    ]);
    const model = modelAt(server);
    for (const shades of [[1], [1, 2], [1, 2, 3], [1, 3]])
      await ask(model, { messages: [{ role: 'user', content: images(...shades) }] });
    expect(sentTo(server)).toEqual([[1], [1, 2], [1, left], [1, left, 3], [1, 3], [left, left]]);
  });

  test('also where the image came from a tool', async () => {
    await using server = await startFakeAnthropic([refusal('image exceeds 5 MB maximum'), { text: 'Hm.' }]);
    await ask(modelAt(server), {
      messages: [
        user('Draw.'),
        { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'draw', arguments: '{}' }] },
        { role: 'tool', callId: 'a', name: 'draw', content: images(1) },
      ],
    });
    expect(server.bodies[0]).toContain(dot(1));
    expect(server.bodies[1]).not.toContain(dot(1));
    expect(server.bodies[1]).toContain(left);
  });

  test('a model that takes none is sent none from then on', async () => {
    await using server = await startFakeAnthropic([
      refusal('This model does not support image input'),
      { text: 'Hm.' },
      { text: 'Hm.' },
    ]);
    const model = modelAt(server);
    for (const shade of [1, 2]) await ask(model, { messages: [{ role: 'user', content: images(shade) }] });
    expect(sentTo(server)).toEqual([[1], [left], [left]]);
  });

  test('a refusal without any image is passed on', async () => {
    await using server = await startFakeAnthropic([refusal('Could not process image')]);
    await expect(ask(modelAt(server))).rejects.toMatchObject({ code: 'PEG_MODEL_REFUSED' });
    expect(server.requests).toHaveLength(1);
  });
});

test('an agent on Anthropic runs a tool and answers', async () => {
  await using server = await startFakeAnthropic([
    { toolUse: [{ name: 'greet', input: '{"who": "Ada"}' }] },
    { text: 'It said hello.' },
  ]);
  await using home = await createHome({
    'pegboard.yaml': `models: { default: anthropic/claude-sonnet-4-5, providers: { anthropic: { base_url: "${server.baseUrl}", api_key: key-1 } } }\n`,
    'spaces/work/agent/tools/greet.md': manifest(
      'greet',
      'parameters:\n  - { name: who, type: string, required: true }\ncommand: echo Hello {{who}}\nconfirm: false',
    ),
  });
  const { stdout, stderr } = await pegboard(['chat', 'Greet Ada', '--yes'], { home: home.path });
  expect(stdout, stderr).toContain('It said hello.');
  expect(JSON.stringify(server.requests[1]?.messages)).toContain('Hello Ada');
});
