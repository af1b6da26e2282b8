import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../../host/api/model.ts';
import type { Content } from '../../../../host/api/result.ts';
import { dot, images } from '../../../kit/data/images.ts';
import { ask, modelAt, readFile, user } from '../../../kit/servers/scripted-model-client.ts';
import {
  startScriptedModel,
  type ScriptedFaults,
  type ScriptedReply,
} from '../../../../host/testing/index.ts';

const calling: ScriptedReply = {
  text: 'Let me look.',
  toolCalls: [
    { name: 'read_file', arguments: { path: 'ä/b.txt', lines: 3 } },
    { name: 'read_file', arguments: { path: 'c.txt' } },
  ],
};

test('an answer streams in as text and thoughts, and comes whole with calls, usage and cost', async () => {
  await using server = await startScriptedModel([
    {
      ...calling,
      thinking: 'two files',
      usage: {
        prompt_tokens: 90,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 64 },
        cost: 0.25,
      },
    },
  ]);
  const { reply, events, heard } = await ask(modelAt(server.baseUrl));
  expect(heard).toBe('Let me look.');
  expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
  expect(events.map((event) => (event.type === 'thinking' ? event.text : '')).join('')).toBe('two files');
  expect(reply).toEqual({
    text: 'Let me look.',
    toolCalls: [
      { id: 'call_0_0', name: 'read_file', arguments: '{"path":"ä/b.txt","lines":3}' },
      { id: 'call_0_1', name: 'read_file', arguments: '{"path":"c.txt"}' },
    ],
    usage: { input: 90, output: 7, cached: 64, cost: 0.25 },
    model: 'test/scripted',
    finish: 'tool_calls',
    replay: { model: 'test/scripted', fields: { reasoning_content: 'two files' }, extras: {} },
  });
  expect(server.refusals).toEqual([]);
});

const oddities: readonly (readonly [string, ScriptedFaults])[] = [
  ['no [DONE] at the end', { noDone: true }],
  ['CRLF line ends', { crlf: true }],
  ['a first chunk without choices', { emptyChoices: true }],
  ['no ids of calls', { noIds: true }],
  ['no indexes of calls', { noIndexes: true }],
  ['neither ids nor indexes', { noIds: true, noIndexes: true }],
  ['arguments as objects', { argumentsAsObject: true }],
  ['arguments as objects without ids and indexes', { argumentsAsObject: true, noIds: true, noIndexes: true }],
  ['names in two pieces', { splitNames: true }],
  ['names in two pieces without indexes', { splitNames: true, noIndexes: true, noIds: true }],
  ['ids and names repeated with every piece', { repeatNames: true }],
  ['names repeated without indexes', { repeatNames: true, noIndexes: true }],
  ['finish_reason stop although tools are called', { finishStop: true }],
  ['no finish_reason', { noFinish: true }],
  ['no usage', { noUsage: true }],
  ['one document instead of a stream', { noStream: true }],
];

describe('a server that sends', () => {
  test.for(oddities)('%s is understood', async ([, faults]) => {
    await using server = await startScriptedModel([{ ...calling, faults }]);
    const { reply, heard } = await ask(modelAt(server.baseUrl));
    expect(heard).toBe('Let me look.');
    expect(reply.text).toBe('Let me look.');
    expect(reply.finish).toBe('tool_calls');
    expect(reply.toolCalls.map(({ name }) => name)).toEqual(['read_file', 'read_file']);
    expect(reply.toolCalls.map(({ arguments: text }) => JSON.parse(text))).toEqual([
      { path: 'ä/b.txt', lines: 3 },
      { path: 'c.txt' },
    ]);
    expect(new Set(reply.toolCalls.map(({ id }) => id)).size).toBe(2);
    expect(reply.usage.input).toBeGreaterThan(0);
    expect(reply.usage.output).toBeGreaterThan(0);
  });
});

test('broken arguments come as they are, for whoever runs the call to answer', async () => {
  await using server = await startScriptedModel([
    { toolCalls: [{ name: 'read_file', arguments: '{"path": "a' }], finish: 'length' },
  ]);
  const { reply } = await ask(modelAt(server.baseUrl));
  expect(reply.toolCalls[0]!.arguments).toBe('{"path": "a');
  expect(reply.finish).toBe('length');
});

test.for([
  ['in <think> tags', { thinking: 'hm, <b>', text: 'Yes.', faults: { thinkInText: true } }],
  ['with an opening tag that stood in the prompt', { text: 'hm, <b></think>\n\nYes.' }],
] as const)('thoughts %s are not part of the answer', async ([, reply]) => {
  await using server = await startScriptedModel([{ ...reply, chunks: 9 }]);
  const answer = await ask(modelAt(server.baseUrl));
  expect(answer.reply.text).toBe('Yes.');
  expect(answer.heard).toBe('Yes.');
  expect(answer.events.map((event) => (event.type === 'thinking' ? event.text : '')).join('')).toBe(
    'hm, <b>',
  );
});

test('a tag in the middle of an answer is text', async () => {
  const text = 'Write <think>like this</think> at the start.';
  await using server = await startScriptedModel([{ text, chunks: 20 }]);
  const { reply, heard } = await ask(modelAt(server.baseUrl));
  expect(reply.text).toBe(text);
  expect(heard).toBe(text);
});

const conversation: readonly ModelMessage[] = [
  { role: 'system', text: 'Be short.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', data: dot(1), mimeType: 'image/png' },
    ],
  },
  {
    role: 'assistant',
    text: '',
    toolCalls: [
      { id: 'a', name: 'read_file', arguments: '' },
      { id: 'b', name: 'read_file', arguments: '{"path": ' },
    ],
  },
  {
    role: 'tool',
    callId: 'a',
    name: 'read_file',
    content: [{ type: 'image', data: dot(2), mimeType: 'image/png' }],
  },
  { role: 'tool', callId: 'b', name: 'read_file', content: [] },
  { role: 'assistant', text: '' },
];

test('images of tools follow their results, and broken arguments are text in the history', async () => {
  await using server = await startScriptedModel([{ text: 'A cat.' }]);
  await ask(modelAt(server.baseUrl), { messages: conversation });
  expect(server.requests[0]!.messages).toEqual([
    { role: 'system', content: 'Be short.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${dot(1)}` } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } },
        {
          id: 'b',
          type: 'function',
          function: { name: 'read_file', arguments: '{"unreadable":"{\\"path\\": "}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '[image, image/png]' },
    { role: 'tool', tool_call_id: 'b', content: '(no output)' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Images from the results of the tools above:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${dot(2)}` } },
      ],
    },
  ]);
});

const imageOf = (mimeType: string, data: string): Content => ({ type: 'image', data, mimeType });

test('the type of an image is that of its bytes: invalid images are described in words, and the others are shown', async () => {
  await using server = await startScriptedModel([{ text: 'ok' }]);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const svg = base64('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const broken = [
    '!!!notb64',
    `${dot(1)}!`,
    dot(1).slice(1),
    '',
    svg,
    base64('text'),
    'CCCC',
    'iVBORw0KGgo=',
  ];
  await ask(modelAt(server.baseUrl), {
    messages: [
      {
        role: 'user',
        content: [imageOf('image/svg+xml', svg), ...broken.map((data) => imageOf('image/png', data))],
      },
      { role: 'assistant', text: 'Hm.' },
      {
        role: 'user',
        content: Object.values(images).flatMap((data) =>
          ['image/png', 'IMAGE/JPG; x=y', 'image/bmp'].map((type) => imageOf(type, data)),
        ),
      },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'draw', arguments: '{}' }] },
      { role: 'tool', callId: 'a', name: 'draw', content: [imageOf('image/tiff', 'CCCC')] },
    ],
  });
  const shown = Object.entries(images).map(([type, data]) => ({
    type: 'image_url',
    image_url: { url: `data:${type};base64,${data}` },
  }));
  const [first, , second, , tool, ...rest] = server.requests[0]!.messages;
  expect(first.content).toEqual([
    { type: 'text', text: '[image, image/svg+xml, not shown: models do not accept this type]' },
    ...broken.map(() => ({
      type: 'text',
      text: '[image, image/png, not shown: its data is not a valid image of this type]',
    })),
  ]);
  expect(second.content).toEqual(shown.flatMap((part) => [part, part, part]));
  expect(tool.content).toBe('[image, image/tiff, not shown: models do not accept this type]');
  expect(rest).toEqual([]);
});

test('after a refusal for an image those that may be at fault are left out, and later ones are shown', async () => {
  const faults = { status: 400, message: 'Could not process image' };
  await using server = await startScriptedModel([
    { text: 'Red.' },
    { faults },
    { text: 'Hm.' },
    { text: 'Blue.' },
    { faults },
    { text: 'No.' },
  ]);
  const model = modelAt(server.baseUrl);
  const seen = (...shades: readonly number[]) => ({
    messages: [{ role: 'user', content: shades.map((shade) => imageOf('image/png', dot(shade))) } as const],
  });
  for (const shades of [[1], [1, 2], [1, 2, 3], [1, 3]]) await ask(model, seen(...shades));
  const sent = server.requests.map(({ messages }) =>
    [messages[0].content]
      .flat()
      .map((part: { image_url?: { url: string }; text?: string } | string) =>
        typeof part === 'string'
          ? part
          : part.image_url
            ? [1, 2, 3].find((shade) => part.image_url!.url.endsWith(dot(shade)))
            : part.text,
      ),
  );
  const left = '[image, image/png, not shown to this model]';
  expect(sent).toEqual([[1], [1, 2], [1, left], [1, left, 3], [1, 3], [`${left}\n\n${left}`]]);
});

test('a model that takes no images at all is sent none from then on', async () => {
  const faults = { status: 404, message: 'No endpoints found that support image input' };
  await using server = await startScriptedModel([{ faults }, { text: 'Hm.' }, { text: 'Hm.' }]);
  const model = modelAt(server.baseUrl);
  for (const shade of [1, 2])
    await ask(model, { messages: [{ role: 'user', content: [imageOf('image/png', dot(shade))] }] });
  expect(server.requests.map(({ messages }) => Array.isArray(messages[0].content))).toEqual([
    true,
    false,
    false,
  ]);
});

test('a history that was cut off in the middle of a turn is one that providers accept', async () => {
  await using server = await startScriptedModel([{ text: 'ok' }]);
  await ask(modelAt(server.baseUrl), {
    messages: [
      { role: 'tool', callId: 'gone', name: 'read_file', content: [{ type: 'text', text: 'orphan' }] },
      { role: 'assistant', text: 'hm', toolCalls: [{ id: 'x', name: 'read_file', arguments: '{}' }] },
      user('still there?'),
    ],
  });
  expect(server.refusals).toEqual([]);
  expect(server.requests[0]!.messages[1]).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/interrupted/),
  });
});

test('a server that refuses a parameter is asked without it, now and from then on', async () => {
  const refused = (message: string): ScriptedReply => ({ faults: { status: 400, message } });
  await using server = await startScriptedModel((request) => {
    if ('temperature' in request) return refused("Unsupported value: 'temperature' does not support 0.3");
    if ('stream_options' in request) return refused('Extra inputs are not permitted: stream_options');
    if ('max_tokens' in request)
      return refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.");
    return { text: 'ok' };
  });
  const model = modelAt(server.baseUrl, { temperature: 0.3, maxTokens: 50 });
  expect((await ask(model)).reply.text).toBe('ok');
  expect((await ask(model)).reply.text).toBe('ok');
  expect(server.requests).toHaveLength(5);
  expect(server.requests[4]).toMatchObject({ max_completion_tokens: 50 });
});

test('what a provider wants to see again with a call goes back to it', async () => {
  await using server = await startScriptedModel([{ ...calling, thinking: 'because' }, { text: 'done' }]);
  const model = modelAt(server.baseUrl, { quirks: { shortCallIds: true, unsigned: { google: 'none' } } });
  const { reply } = await ask(model);
  const answers = reply.toolCalls.map(({ id, name }) => ({
    role: 'tool' as const,
    callId: id,
    name,
    content: [{ type: 'text' as const, text: 'x' }],
  }));
  const { text, toolCalls } = reply;
  await ask(model, { messages: [user('hi'), { role: 'assistant', text, toolCalls }, ...answers] });
  const [, assistant, answer] = server.requests[1]!.messages;
  expect(assistant.reasoning_content).toBe('because');
  expect(assistant.tool_calls[0].id).toMatch(/^[0-9a-f]{9}$/);
  expect(answer.tool_call_id).toBe(assistant.tool_calls[0].id);

  const foreign = [{ id: 'other', name: 'read_file', arguments: '{}' }];
  await expect(
    ask(model, { messages: [user('hi'), { role: 'assistant', text: '', toolCalls: foreign }] }),
  ).rejects.toThrow('the script has 2 replies');
  expect(server.requests[2]!.messages[1].tool_calls[0].extra_content).toEqual({ google: 'none' });
});

describe('failures are distinguished:', () => {
  const failures: readonly (readonly [string, ScriptedReply, string, RegExp])[] = [
    [
      'a bad key',
      { faults: { status: 401, message: 'Incorrect API key' } },
      'PEG_MODEL_REFUSED',
      /401.*Incorrect API key.*Check the key/,
    ],
    [
      'an unknown model',
      { faults: { status: 404, message: 'no such model' } },
      'PEG_MODEL_REFUSED',
      /404.*no such model/,
    ],
    [
      'too many requests',
      { faults: { status: 429, message: 'slow down' } },
      'PEG_MODEL_UNAVAILABLE',
      /429: slow down/,
    ],
    [
      'a quota that is used up',
      { faults: { status: 429, message: 'You exceeded your current quota' } },
      'PEG_MODEL_REFUSED',
      /quota/,
    ],
    ['a broken server', { faults: { status: 500 } }, 'PEG_MODEL_UNAVAILABLE', /500: scripted 500/],
    [
      'a stream that breaks off',
      { text: 'abc', faults: { cutAfter: 2 } },
      'PEG_MODEL_UNAVAILABLE',
      /broke off/,
    ],
    [
      'a failure in the stream',
      { text: 'abc', faults: { errorAfter: 2 } },
      'PEG_MODEL_UNAVAILABLE',
      /502.*scripted failure/,
    ],
    [
      'a stream that ends without saying why',
      { text: 'abc', faults: { noFinish: true, noUsage: true } },
      'PEG_MODEL_UNAVAILABLE',
      /ended without saying why/,
    ],
  ];
  test.for(failures)('%s', async ([, reply, code, message]) => {
    await using server = await startScriptedModel([reply]);
    await expect(ask(modelAt(server.baseUrl))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('nobody there', async () => {
    await expect(ask(modelAt('http://127.0.0.1:9/v1'))).rejects.toMatchObject({
      code: 'PEG_MODEL_UNAVAILABLE',
      message: expect.stringMatching(/could not be reached/),
    });
  });

  test.for([0, 2])('silence after %d chunks', async (hangAfter) => {
    await using server = await startScriptedModel([{ text: 'abc', faults: { hangAfter } }]);
    const model = modelAt(server.baseUrl, {
      idleTimeouts: { firstMs: hangAfter === 0 ? 60 : 60_000, nextMs: 60 },
    });
    await expect(ask(model)).rejects.toMatchObject({
      code: 'PEG_MODEL_UNAVAILABLE',
      message: expect.stringMatching(
        hangAfter === 0 ? /no answer within 0.06 s/ : /in the middle of its response/,
      ),
    });
    await server.closed(0);
  });

  test('an abort, which closes the connection', async () => {
    await using server = await startScriptedModel([{ text: 'abc', faults: { hangAfter: 2 } }]);
    const abort = new AbortController();
    const asked = modelAt(server.baseUrl).respond(
      { messages: [user('hi')], tools: [readFile], signal: abort.signal },
      () => abort.abort(),
    );
    await expect(asked).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
    await server.closed(0);
  });
});
