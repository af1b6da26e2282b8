import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { ModelProvider } from '../../../../host/api/model.ts';
import { createModels, type Models } from '../../../../host/agent/models/create-models.ts';
import { silentLogger } from '../../../../host/core/log.ts';
import { createRedactor } from '../../../../host/core/secrets/redact.ts';
import { PegboardError } from '../../../../host/core/errors.ts';
import type { ModelsConfig } from '../../../../host/formats/models.ts';
import { listen } from '../../../../host/testing/http-server.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { ask } from '../../../kit/servers/scripted-model-client.ts';
import { startFakeAnthropic } from '../../../kit/servers/fake-anthropic.ts';

const modelsOf = (
  config: ModelsConfig,
  providers: ReadonlyMap<string, ModelProvider> = new Map(),
  environment: { readonly [name: string]: string } = {},
): Models =>
  createModels({
    redactor: createRedactor(),
    spend: () => undefined,
    pay: (model) => model,
    config: () => config,
    environment,
    providers: () => providers,
    log: silentLogger,
    listings: { get: () => undefined, set: async () => {} },
  });

const brainOf = (backend: string) => ({ backend, nativeToolUse: 'auto', fallback: [] }) as const;

const backends = ['openai_compat', 'anthropic'] as const;
type Backend = (typeof backends)[number];

const at = (base_url: string, backend: Backend, api_key?: string): Models =>
  modelsOf({ providers: { mine: { base_url, backend, ...(api_key !== undefined && { api_key }) } } });

/** Answers every request for a reply with this error, as both APIs write it; `models` are listed. */
const failing =
  (status: number, message: string, models?: readonly string[]): RequestListener =>
  (request, response) => {
    const isList = request.url!.endsWith('/models') && models !== undefined;
    response.writeHead(isList ? 200 : status, { 'content-type': 'application/json' });
    const error = { type: 'error', error: { type: 'some_error', message } };
    response.end(JSON.stringify(isList ? { data: models.map((id) => ({ id })) } : error));
  };

test('a model that answers is good, and was asked once without tools', async () => {
  await using server = await startScriptedModel([{ text: 'ok' }]);
  const tested = await at(server.baseUrl, 'openai_compat').test('mine/scripted');
  expect(tested).toEqual({
    ok: true,
    model: 'mine/scripted',
    contextWindow: 128_000,
    ms: expect.any(Number),
  });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).not.toHaveProperty('tools');
  await using anthropic = await startFakeAnthropic([{ text: 'ok' }]);
  expect(await at(anthropic.baseUrl, 'anthropic').test('mine/claude')).toMatchObject({ ok: true });
  expect(anthropic.requests).toHaveLength(1);
});

test.each(
  backends.flatMap((backend) =>
    (
      [
        [401, 'invalid x-api-key', 'key-refused', /refused the key.*invalid x-api-key/],
        [403, 'no permission', 'key-refused', /refused the key/],
        [400, 'API key not valid. Please pass a valid API key.', 'key-refused', /refused the key/],
        [402, 'Payment required', 'no-credit', /no credit left/],
        [400, 'Your credit balance is too low to access the API.', 'no-credit', /no credit left/],
        [429, 'You exceeded your current quota, please check your plan', 'no-credit', /no credit left/],
        [429, 'Rate limit reached for requests', 'rate-limit', /Try again later/],
        [404, 'The model `some` does not exist', 'no-such-model', /has no model "some"/],
        [400, 'some is not a valid model ID', 'no-such-model', /has no model "some"/],
        [404, 'Not Found', 'wrong-address', /Check models\.providers\.mine\.base_url in pegboard\.yaml/],
        [405, 'Method not allowed', 'wrong-address', /Check models\.providers\.mine\.base_url/],
        [503, 'overloaded', 'server-error', /overloaded/],
        [422, 'something else', 'refused', /something else/],
      ] as const
    ).map((row) => [backend, ...row] as const),
  ),
)('%s: %i "%s" is %s', async (backend, status, said, problem, message) => {
  await using server = await listen(failing(status, said));
  const tested = await at(`${server.url}/v1`, backend, 'key-123456789').test('mine/some');
  expect(tested).toMatchObject({ ok: false, model: 'mine/some', problem });
  expect((tested as { message: string }).message).toMatch(message);
});

test.each(backends)('%s: a key that was not given is missing, not wrong', async (backend) => {
  await using server = await listen(failing(401, 'no key'));
  expect(await at(`${server.url}/v1`, backend).test('mine/some')).toMatchObject({
    problem: 'no-key',
    message: expect.stringMatching(/models\.providers\.mine\.api_key/),
  });
});

test.each(backends)(
  '%s: a name that the server does not list is named with its neighbours',
  async (backend) => {
    await using server = await listen(failing(404, 'Not Found', ['qwen3-32b', 'gemma3']));
    const { message, problem } = (await at(`${server.url}/v1`, backend).test('mine/qwen3-33b')) as {
      readonly message: string;
      readonly problem: string;
    };
    expect(problem).toBe('no-such-model');
    expect(message).toMatch(/has no model "qwen3-33b"\. It has, for example, qwen3-32b/);
  },
);

test.each(backends)('%s: a closed port and an unknown host are unreachable', async (backend) => {
  const server = await listen(() => {});
  await server[Symbol.asyncDispose]();
  expect(await at(`${server.url}/v1`, backend).test('mine/some')).toMatchObject({
    problem: 'unreachable',
    message: expect.stringContaining('nothing listens there (ECONNREFUSED)'),
  });
  expect(await at('http://nowhere.invalid/v1', backend).test('mine/some')).toMatchObject({
    problem: 'unreachable',
  });
});

test.each(backends)('%s: a web page at the address is a wrong address', async (backend) => {
  await using server = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><p>Hello</p>');
  });
  expect(await at(server.url, backend).test('mine/some')).toMatchObject({ problem: 'wrong-address' });
});

test.each(backends)('%s: silence is a time-out, and cancelling is not', async (backend) => {
  await using server = await listen(() => {});
  const models = at(`${server.url}/v1`, backend);
  expect(await models.test('mine/some', { timeoutMs: 100 })).toMatchObject({
    problem: 'timeout',
    message: expect.stringContaining('within 0.1 s'),
  });
  await expect(models.test('mine/some', { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    code: 'PEG_CANCELLED',
  });
});

test('no model, a provider that does not exist and a missing key are said before anything is asked', async () => {
  expect(await modelsOf({}).test()).toMatchObject({ problem: 'not-configured' });
  expect(await modelsOf({}).test('opnai/gpt-5')).toMatchObject({
    problem: 'not-configured',
    message: expect.stringContaining('Did you mean "openai/gpt-5"?'),
  });
  expect(await modelsOf({}).test('openai/gpt-5')).toMatchObject({
    problem: 'not-configured',
    message: expect.stringContaining('OPENAI_API_KEY'),
  });
});

test('a key and an address can be tested before they are stored', async () => {
  await using server = await startScriptedModel(() => ({ text: 'ok' }), { apiKey: 'right-key-1234' });
  const models = modelsOf({});
  const test = (base_url: string, api_key?: string) =>
    models.test('openai/scripted', {
      unstored: {
        entry: { base_url, ...(api_key !== undefined && { api_key }) },
        places: { addressPlace: '--base-url', keyPlace: 'the key on stdin' },
      },
    });
  expect(await test(server.baseUrl, 'right-key-1234')).toMatchObject({ ok: true });
  // What was given is named, and not a file that says nothing of it.
  for (const [address, key, names] of [
    [server.baseUrl, 'wrong-key-1234', 'Check the key on stdin.'],
    [server.baseUrl, undefined, 'Set the key on stdin'],
    ['http://127.0.0.1:2/v1', 'right-key-1234', 'Check the network and --base-url.'],
    ['localhost/v1', 'right-key-1234', '--base-url is not an address'],
  ] as const) {
    const tested = await test(address, key);
    expect(tested).toMatchObject({ ok: false, message: expect.stringContaining(names) });
    expect(tested).not.toHaveProperty('message', expect.stringContaining('pegboard.yaml'));
  }
});

test.each(['{{{{ not json', '', '\u0000\u0001\u0002'])(
  'an answer like %j is no answer of a model',
  async (text) => {
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(text);
    });
    const tested = await at(`${server.url}/v1`, 'openai_compat').test('mine/some');
    expect(tested).toMatchObject({ ok: false, problem: 'wrong-address' });
  },
);

test('what a server says of its failure can not colour or hide anything on a terminal', async () => {
  const hostile = 'boom \u001b[2J\u001b[31mred\u001b[8m hidden\u001b]0;title\u0007';
  await using server = await listen(failing(500, hostile));
  const { message } = (await at(`${server.url}/v1`, 'openai_compat').test('mine/some')) as {
    readonly message: string;
  };
  expect(message).toContain('It said: boom red hidden.');
  expect(message).not.toContain('\u001b');
});

test('a refused key is called that, also where the server should say which models it has', async () => {
  await using server = await listen(failing(401, 'no'));
  const environment = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-wrong' };
  expect(await modelsOf({}, new Map(), environment).test()).toMatchObject({ problem: 'key-refused' });
});

test('a home whose server is down is told that, not that it has no models', async () => {
  const server = await listen(() => {});
  await server[Symbol.asyncDispose]();
  const environment = { OPENAI_BASE_URL: `${server.url}/v1` };
  expect(await modelsOf({}, new Map(), environment).test()).toMatchObject({ problem: 'unreachable' });
});

test("a plugin's model is tested like any other", async () => {
  const reply = { text: 'ok', toolCalls: [], usage: { input: 1, output: 1 }, finish: 'stop' } as const;
  const providers = (respond: () => Promise<never>): ReadonlyMap<string, ModelProvider> =>
    new Map([
      [
        'parrot',
        {
          open: ({ id, name, contextWindow }) => {
            if (name === 'dodo') throw new PegboardError('PEG_CONFIG', 'There is no parrot "dodo".');
            return {
              id,
              contextWindow,
              nativeTools: true,
              respond: () => (name === 'mute' ? respond() : Promise.resolve({ ...reply, model: id })),
            };
          },
        },
      ],
    ]);
  const broken = modelsOf(
    {},
    providers(() => Promise.reject(Object.assign(new Error('bad key'), { status: 401 }))),
  );
  expect(await broken.test('parrot/grey')).toMatchObject({ ok: true, model: 'parrot/grey' });
  expect(await broken.test('parrot/mute')).toMatchObject({ problem: 'no-key' });
  expect(await broken.test('parrot/dodo')).toMatchObject({
    problem: 'not-configured',
    message: 'There is no parrot "dodo".',
  });
  const silent = modelsOf(
    {},
    providers(() => new Promise(() => {})),
  );
  expect(await silent.test('parrot/mute', { timeoutMs: 50 })).toMatchObject({ problem: 'timeout' });
});

test.each(backends)(
  'a redirect to another server gets neither the conversation nor the key: %s',
  async (backend) => {
    const got: string[] = [];
    await using other = await listen((request, response) => {
      got.push(request.url!);
      response.end('{}');
    });
    await using server = await listen((request, response) => {
      response.writeHead(request.url!.endsWith('/models') ? 302 : 307, {
        location: `${other.url}${request.url}`,
      });
      response.end();
    });
    const models = at(`${server.url}/v1`, backend, 'key');
    const tested = await models.test('mine/test');
    expect(tested).toMatchObject({
      ok: false,
      message: expect.stringContaining(`use its address as the base_url of mine: ${other.url}/v1`),
    });
    const [listed] = await models.list();
    expect(listed?.problem).toContain(`redirects to another server, ${other.url}/v1/models`);
    await expect(
      ask((await models.resolve({ ...brainOf(backend), model: 'mine/test' }))!),
    ).rejects.toMatchObject({
      code: 'PEG_MODEL_REFUSED',
    });
    expect(got).toEqual([]);
  },
);

test('a redirect within the server is followed, with the whole request', async () => {
  const asked: string[] = [];
  await using server = await listen((request, response) => {
    if (request.url!.startsWith('/old/')) {
      response.writeHead(307, { location: request.url!.replace('/old/', '/v1/') }).end();
      return;
    }
    request.setEncoding('utf8').on('data', (text: string) => asked.push(text));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const message = { role: 'assistant', content: 'ok' };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  expect(await at(`${server.url}/old`, 'openai_compat').test('mine/scripted')).toMatchObject({ ok: true });
  expect(asked.join('')).toContain('This is a test of the connection');
});

test('an answer without an end is stopped, and said to be one', async () => {
  await using server = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = JSON.stringify({ choices: [{ index: 0, delta: { content: 'more ' } }] });
    const timer = setInterval(() => response.write(`data: ${chunk}\n\n`), 5);
    response.on('close', () => clearInterval(timer));
  });
  const models = at(`${server.url}/v1`, 'openai_compat');
  const tested = await models.test('mine/endless', { timeoutMs: 3000 });
  expect(tested).toMatchObject({ ok: false, problem: 'timeout' });
  expect(tested).toHaveProperty('message', expect.stringContaining('was still sending its answer after 3 s'));
});

test.each(['nothing', 'localhost:1234/v1'])('a base_url that is no address is named: %s', async (address) => {
  const models = at(address, 'openai_compat');
  const problem = 'models.providers.mine.base_url in pegboard.yaml is not an address';
  expect(await models.test('mine/x')).toMatchObject({
    ok: false,
    problem: 'not-configured',
    message: expect.stringContaining(problem),
  });
  expect((await models.list())[0]?.problem).toContain(problem);
  const variable = modelsOf({}, new Map(), { OPENAI_BASE_URL: address });
  expect(await variable.test()).toHaveProperty('message', expect.stringContaining('OPENAI_BASE_URL is not'));
});
