import { expect, test } from 'vitest';
import { packageEntry, pegboard, startPegboard } from '../../../kit/cli.ts';
import { callBody, modernHeaders, openSession, post } from '../../../kit/mcp/mcp-wire.ts';
import { directly, homeWithAnswers, serveKnown, serveRaw, startRaw } from '../../../kit/mcp/verbatim.ts';

const results = {
  long: {
    content: [{ type: 'text', text: JSON.stringify({ rows: 'x'.repeat(60_000) }) }],
    structuredContent: { rows: 1 },
  },
  explicit: { content: [{ type: 'text', text: 'fine' }], isError: false },
  failed: {
    content: [{ type: 'text', text: 'no' }],
    structuredContent: { why: 'x' },
    isError: true,
    _meta: { a: 1 },
  },
  unknown_block: {
    content: [
      { type: 'video', data: 'AAAA', mimeType: 'video/mp4' },
      { type: 'text', text: 'x', extra: 1 },
    ],
  },
  more_members: { content: [], toolResult: { a: null }, 'x-custom': [1, 'b'], _meta: {} },
  annotated: {
    content: [
      {
        type: 'text',
        text: 'ä\u0000',
        annotations: { audience: ['user'], priority: 0.5 },
        _meta: { k: 'v' },
      },
    ],
  },
};
const exact =
  '{"content":[{"type":"text","text":"1.0"}],"structuredContent":{"a":1.0,"b":12345678901234567890,"c":[-0,1e3]},"_meta":{"d":2.50}}';
const errors = {
  url_elicitation: {
    code: -32042,
    message: 'Log in first',
    data: {
      elicitations: [
        { mode: 'url', elicitationId: 'e', url: 'https://example.com/login', message: 'Log in' },
      ],
    },
  },
  no_capability: {
    code: -32021,
    message: 'Needs sampling',
    data: { requiredCapabilities: { sampling: {} } },
  },
  own_code: { code: 4711, message: 'own', data: [1, null] },
  no_data: { code: -32603, message: 'internal' },
  invalid: { code: -32602, message: 'Unknown tool' },
  not_found: { code: -32002, message: 'not here', data: { uri: 'x' } },
};
const names = [...Object.keys(results), 'exact', ...Object.keys(errors)];
const answers = {
  'tools/list': JSON.stringify({
    tools: names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': {
    ...Object.fromEntries(Object.entries(results).map(([name, result]) => [name, JSON.stringify(result)])),
    exact,
    ...Object.fromEntries(
      Object.entries(errors).map(([name, error]) => [name, `error ${JSON.stringify(error)}`]),
    ),
  },
  'resources/list': JSON.stringify({ resources: [{ uri: 'x://one', name: 'one' }] }),
  'resources/templates/list': JSON.stringify({ resourceTemplates: [] }),
  'resources/read': `error ${JSON.stringify(errors.not_found)}`,
  'prompts/list': JSON.stringify({ prompts: [{ name: 'greet' }] }),
  'prompts/get': `error ${JSON.stringify(errors.own_code)}`,
};

test('results and errors of a server reach a client as the server gave them', async () => {
  await using home = await homeWithAnswers(answers);
  await using direct = await directly(home);
  await using client = await serveRaw(home);
  for (const name of names) {
    const expected = await direct.request('tools/call', { name, arguments: {} });
    const got = await client.request('tools/call', { name: `up__${name}`, arguments: {} });
    expect({ result: got.result, error: got.error }, name).toEqual({
      result: expected.result,
      error: expected.error,
    });
  }
  const line = await client.ask('tools/call', '{"name":"up__exact","arguments":{}}');
  for (const part of ['"structuredContent":{"a":1.0,"b":12345678901234567890,"c":[-0,1e3]}', '"d":2.50'])
    expect(line).toContain(part);
});

test('members stay in their order, also those that MCP does not define', async () => {
  const ordered = [
    '{"content":[],"structuredContent":{"b":1,"a":2},"isError":false,"_meta":{"x":1},"extra":{"k":null}}',
    '{"extra":1.0,"isError":false,"content":[{"type":"text","text":"x"}],"zz":[1e3],"_meta":{"x":1}}',
    '{"_meta":{"x":1},"content":[{"type":"text","text":"x"}],"isError":true,"more":12345678901234567890}',
    '{"isError":true,"structuredContent":{"a":1},"content":[{"type":"text","text":"x"}]}',
  ];
  const refusals = [
    '{"code":-32099,"message":"m é","data":{"b":1.0,"n":null},"x":1.0}',
    '{"message":"m","hint":"h","code":-32099}',
  ];
  const given = [...ordered, ...refusals.map((error) => `error ${error}`)];
  const tools = given.map((_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } }));
  await using home = await homeWithAnswers({
    'tools/list': JSON.stringify({ tools }),
    'tools/call': Object.fromEntries(given.map((answer, at) => [`t${at}`, answer])),
  });
  await using client = await serveRaw(home);
  for (const [at, answer] of given.entries()) {
    const line = await client.ask('tools/call', `{"name":"up__t${at}","arguments":{}}`);
    expect(line).toContain(
      answer.startsWith('error ') ? `"error":${answer.slice(6)}}` : `"result":${answer}}`,
    );
  }
});

test('numbers stay as they are written, at any position', async () => {
  const number = '9007199254740993';
  const schema = `{"type":"object","properties":{"n":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,"default":1.0}}}`;
  await using home = await homeWithAnswers({
    'tools/list': `{"tools":[{"name":"big","description":"x","inputSchema":${schema},"_meta":{"n":${number}}}]}`,
    'tools/call': {
      big: `{"content":[],"structuredContent":{"n":${number}},"own":${number},"_meta":{"n":1.0}}`,
    },
    'resources/list': `{"resources":[{"uri":"x://one","name":"one","size":${number}}]}`,
    'resources/templates/list': '{"resourceTemplates":[]}',
    'resources/read': `{"contents":[{"uri":"x://one","text":"1","n":${number}}],"own":${number}}`,
    'prompts/list': `{"prompts":[{"name":"greet","n":${number}}]}`,
    'prompts/get': `{"messages":[],"own":${number}}`,
  });
  const check = async (client: Awaited<ReturnType<typeof serveRaw>>): Promise<void> => {
    await using asked = client;
    const listed = await asked.ask('tools/list', '{}');
    expect(listed).toContain(schema);
    expect(listed).toContain(`"_meta":{"n":${number}}`);
    const called = await asked.ask('tools/call', '{"name":"up__big","arguments":{}}');
    for (const part of [`"structuredContent":{"n":${number}}`, `"own":${number}`, '"_meta":{"n":1.0}'])
      expect(called).toContain(part);
    expect(await asked.ask('resources/list', '{}')).toContain(`"size":${number}`);
    const read = await asked.ask('resources/read', '{"uri":"x://one"}');
    expect(read).toContain(`"n":${number}`);
    expect(read).toContain(`"own":${number}`);
    expect(await asked.ask('prompts/list', '{}')).toContain(`"n":${number}`);
    expect(await asked.ask('prompts/get', '{"name":"greet"}')).toContain(`"own":${number}`);
  };
  await check(await serveRaw(home));
  // From the cached list of the server.
  await check(await serveKnown(home));
  const { stdout } = await pegboard(['call', 'up.big', '--json'], { home: home.path });
  expect(stdout).toContain(`"n": ${number}`);
});

test('errors about resources and prompts keep code and data too', async () => {
  await using home = await homeWithAnswers(answers);
  await using client = await serveRaw(home);
  for (const uri of ['x://one', 'x://unlisted'])
    expect((await client.request('resources/read', { uri })).error).toEqual(errors.not_found);
  expect((await client.request('prompts/get', { name: 'greet' })).error).toEqual(errors.own_code);
});

test('a limit that the home sets holds for clients as well', async () => {
  await using home = await homeWithAnswers(answers, { yaml: 'output: { limit: 1000 }' });
  await using client = await serveRaw(home);
  const { result } = await client.request('tools/call', { name: 'up__long', arguments: {} });
  expect(result.content[0].text).toContain('characters left out');
});

test('over HTTP a capability that is missing comes with its status, in both eras with its code', async () => {
  await using home = await homeWithAnswers(answers, { yaml: 'serve: { token: test-token-1234 }' });
  await (await serveRaw(home))[Symbol.asyncDispose]();
  await using running = startPegboard(['serve', '--http', '0'], { home: home.path });
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(await running.waitFor(/127\.0\.0\.1:\d+/))![1]);
  const server = { port, token: 'test-token-1234' };
  const session = await openSession(server);
  const modern = await post(
    server,
    callBody('up__no_capability', {}, 'modern'),
    modernHeaders('up__no_capability'),
  );
  expect([modern.status, JSON.parse(modern.text)]).toMatchObject([400, { error: errors.no_capability }]);
  const legacy = await post(server, callBody('up__no_capability', {}, 'legacy'), session);
  expect(legacy.text).toContain('"code":-32021');
});

test.each([
  [{ protocolVersion: '2025-11-25', capabilities: {} }],
  [{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } }],
  [{ capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
  [{}],
])('initialize with the params %j is refused as invalid params', async (params) => {
  await using home = await homeWithAnswers(answers);
  await using client = await startRaw(process.execPath, [packageEntry(), '--home', home.path, 'serve'], {
    initialize: params,
  });
  expect(client.initialized).toMatchObject({ error: { code: -32602 } });
});
