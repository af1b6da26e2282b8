import { expect, test } from 'vitest';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { listen } from '../../../../host/testing/http-server.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { startOnTerminal } from '../../../kit/pty.ts';

const noKeys = {
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
  OPENROUTER_API_KEY: undefined,
  ANTHROPIC_API_KEY: undefined,
  PEGBOARD_MODEL: undefined,
};

const deadAddress = async (): Promise<string> => {
  const server = await listen(() => {});
  await server[Symbol.asyncDispose]();
  return `${server.url}/v1`;
};

interface Listing {
  readonly providers: readonly {
    readonly provider: string;
    readonly problem?: string;
    readonly models: readonly object[];
  }[];
}

test('a name without end does not make every line as long', async () => {
  const name = 'long'.repeat(1250);
  await using server = await startScriptedModel([], { models: [{ id: name }, { id: 'short' }] });
  await using home = await createHome({
    'pegboard.yaml': `models: { providers: { mine: { base_url: "${server.baseUrl}" } } }\n`,
  });
  const { stdout } = await pegboard(['models', 'list'], { home: home.path, env: noKeys });
  expect(stdout).toContain('mine/short');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(200);
  const { providers } = await pegboardJson<Listing>(['models', 'list'], { home: home.path, env: noKeys });
  expect(providers.find(({ provider }) => provider === 'mine')?.models).toContainEqual({
    id: `mine/${name}`,
  });
});

test('models list shows what each provider has, and says of an unreachable one that it is that', async () => {
  await using server = await startScriptedModel([], {
    models: [
      {
        id: 'anthropic/claude-sonnet-5',
        context_length: 1_000_000,
        pricing: { prompt: '0.000002', completion: '0.00001' },
      },
      { id: 'local-7b', max_model_len: 8192 },
      { id: 'nomic-embed-text' },
    ],
  });
  const dead = await deadAddress();
  await using home = await createHome({
    'pegboard.yaml': `models: { providers: { mine: { base_url: "${server.baseUrl}" }, gone: { base_url: "${dead}" } } }\n`,
  });
  const { providers } = await pegboardJson<Listing>(['models', 'list'], { home: home.path, env: noKeys });
  expect(providers.find(({ provider }) => provider === 'mine')).toEqual({
    provider: 'mine',
    address: server.baseUrl,
    models: [
      {
        id: 'mine/anthropic/claude-sonnet-5',
        contextWindow: 1_000_000,
        price: { input: 2, output: 10 },
      },
      { id: 'mine/local-7b', contextWindow: 8192 },
    ],
  });
  expect(providers.find(({ provider }) => provider === 'gone')).toMatchObject({
    models: [],
    problem: `gone (${dead}) can't be reached: ECONNREFUSED.`,
  });
  const shown = await pegboard(['models', 'search', 'CLAUDE', 'sonnet'], { home: home.path, env: noKeys });
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/mine\/anthropic\/claude-sonnet-5 +1,000,000 +\$2 +\$10/);
  expect(shown.stdout).not.toContain('local-7b');
  expect(shown.stderr).toContain('gone (');
  const alone = await pegboard(['models', 'list', '--provider', 'gone'], { home: home.path, env: noKeys });
  expect(alone).toMatchObject({ code: 1, stdout: '' });
});

test('models set tests first, changes nothing when that fails, and can be told to do it anyway', async () => {
  await using server = await startScriptedModel(
    [{ text: 'ok' }, { text: 'ok' }, { faults: { status: 404 } }],
    {
      models: [{ id: 'scripted' }],
    },
  );
  await using home = await createHome({
    'pegboard.yaml': `models: { providers: { mine: { base_url: "${server.baseUrl}" } } }\n`,
  });
  const options = { home: home.path, env: noKeys };
  expect(await pegboard(['models', 'test', 'mine/scripted'], options)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^mine\/scripted answered in [\d.]+ s\./),
  });
  expect(await pegboard(['models', 'set', 'mine/scripted'], options)).toMatchObject({ code: 0 });
  expect(await home.read('pegboard.yaml')).toContain('default: mine/scripted');
  const refused = await pegboardJson(['models', 'set', 'mine/other'], options);
  expect(refused).toMatchObject({ set: false, test: { ok: false, problem: 'no-such-model' } });
  expect(await home.read('pegboard.yaml')).toContain('default: mine/scripted');
  expect(await pegboard(['models', 'set', 'mine/other', '--anyway'], options)).toMatchObject({ code: 0 });
  expect(await home.read('pegboard.yaml')).toContain('default: mine/other');
});

test('models test without a name tests the model of the home', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'models: { default: openai/gpt-5 }\n' });
  const failed = await pegboard(['models', 'test'], { home: home.path, env: noKeys });
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toContain('pegboard secret set OPENAI_API_KEY');
});

test('set --anyway writes no name that no provider could answer for', async () => {
  await using home = await createHome({ 'pegboard.yaml': '# mine\n' });
  const options = { home: home.path, env: noKeys };
  const unknown = await pegboard(['models', 'set', 'opnai/gpt-5', '--anyway'], options);
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toContain('Did you mean "openai/gpt-5"?');
  const keyless = await pegboard(['models', 'set', 'openai/gpt-5', '--anyway'], options);
  expect(keyless.stderr).toContain('pegboard secret set OPENAI_API_KEY');
  expect(await home.read('pegboard.yaml')).toBe('# mine\n');
});

test("a local server's models are listed with the context that they are loaded with", async () => {
  await using server = await listen((request, response) => {
    const answers: { readonly [path: string]: object } = {
      '/v1/models': { data: [{ id: 'llama3.2:latest' }, { id: 'qwen3:8b' }] },
      '/api/ps': { models: [{ name: 'llama3.2:latest', context_length: 32_768 }] },
      '/v1/chat/completions': {
        choices: [{ message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      },
    };
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await using home = await createHome({ 'pegboard.yaml': '' });
  const options = { home: home.path, env: { ...noKeys, OLLAMA_HOST: server.url } };
  const { providers } = await pegboardJson<Listing>(['models', 'list', '--provider', 'ollama'], options);
  expect(providers[0]!.models).toEqual([
    { id: 'ollama/llama3.2:latest', contextWindow: 32_768 },
    { id: 'ollama/qwen3:8b' },
  ]);
  // Ollama completes a name without a tag in the same way.
  expect(await pegboardJson(['models', 'test', 'ollama/llama3.2'], options)).toMatchObject({
    ok: true,
    contextWindow: 32_768,
  });
});

test('a turn at a provider with known prices is counted in dollars, and at another address with ?', async () => {
  await using server = await startScriptedModel([{ text: 'One.' }, { text: 'Two.' }]);
  await using home = await createHome({
    'pegboard.yaml': '',
    // The provider's own address, answered on this machine.
    'redirect.mjs': `const { fetch } = globalThis;
globalThis.fetch = (from, ...rest) =>
  fetch(String(from.url ?? from).replace('https://api.openai.com/v1', '${server.baseUrl}'), ...rest);`,
  });
  const redirected = `--import ${pathToFileURL(join(home.path, 'redirect.mjs')).href}`;
  const env = { ...noKeys, OPENAI_API_KEY: 'sk-test', PEGBOARD_MODEL: 'openai/gpt-5-mini' };
  const chat = await pegboard(['chat', 'hello'], {
    home: home.path,
    env: { ...env, NODE_OPTIONS: redirected },
  });
  expect(chat).toMatchObject({ code: 0, stdout: expect.stringContaining('One.') });
  await pegboard(['chat', 'hello'], { home: home.path, env: { ...env, OPENAI_BASE_URL: server.baseUrl } });
  const { lines } = await pegboardJson<{ readonly lines: readonly UsageLine[] }>(['usage', '--by', 'model'], {
    home: home.path,
  });
  expect(lines).toEqual([expect.objectContaining({ name: 'openai/gpt-5-mini', calls: 2, unpriced: 1 })]);
  const [{ cost }] = lines as [UsageLine];
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThan(0.1);
  const shown = await pegboard(['usage'], { home: home.path });
  expect(shown.stdout).toMatch(/\$0\.00\d\d/);
  expect(shown.stderr).toContain('1 of the calls went to models with unknown prices.');
});

test('models set writes the provider of a model that was named without one', async () => {
  await using server = await startScriptedModel(() => ({ text: 'from own' }), { models: [{ id: 'good' }] });
  await using other = await startScriptedModel(() => ({ text: 'from openai' }), { models: [{ id: 'good' }] });
  await using home = await createHome({
    'pegboard.yaml': `models: { providers: { own: { base_url: "${server.baseUrl}" } } }\n`,
  });
  for (const anyway of [[], ['--anyway']]) {
    await home.write('pegboard.yaml', `models: { providers: { own: { base_url: "${server.baseUrl}" } } }\n`);
    const set = await pegboard(['models', 'set', 'good', ...anyway], { home: home.path, env: noKeys });
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('own/good') });
    expect(await home.read('pegboard.yaml')).toContain('default: own/good');
  }
  const elsewhere = { ...noKeys, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: other.baseUrl };
  const chat = await pegboard(['chat', 'hello'], { home: home.path, env: elsewhere });
  expect(chat.stdout).toContain('from own');
});

test.each(['own/', '/', '', ' ', 'own/x\nfoo: bar', 'own/\u{1b}[31mx', 'own/x\u{2028}y'])(
  '%j names no model, and is refused everywhere',
  async (name) => {
    await using server = await startScriptedModel(() => ({ text: 'ok' }));
    const config = `models: { providers: { own: { base_url: "${server.baseUrl}" } } }\n`;
    await using home = await createHome({ 'pegboard.yaml': config });
    const commands = [
      ['models', 'test', name],
      ['models', 'set', name],
      ['models', 'set', name, '--anyway'],
      ['setup', '--yes', '--model', name],
      ['setup', '--yes', '--base-url', server.baseUrl, '--model', name],
    ];
    for (const args of commands) {
      const { code, stderr } = await pegboard(args, { home: home.path, env: noKeys });
      expect({ args, code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/names no model|is one line without control characters/),
      });
    }
    expect(await home.read('pegboard.yaml')).toBe(config);
    expect(server.requests).toHaveLength(0);
  },
);

test("an unknown provider is named, unless the home's server lists such a model", async () => {
  await using server = await startScriptedModel(() => ({ text: 'ok' }), {
    models: [{ id: 'openai/gpt-5' }, { id: 'maker/listed' }],
  });
  await using home = await createHome({
    'pegboard.yaml': `models: { providers: { own: { base_url: "${server.baseUrl}" } } }\n`,
  });
  const options = { home: home.path, env: noKeys };
  expect(await pegboard(['models', 'test', 'maker/listed'], options)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^own\/maker\/listed answered/),
  });
  for (const command of ['test', 'set']) {
    const refused = await pegboard(['models', command, 'maker/other'], options);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /There is no provider "maker", and own lists no model "maker\/other".*write "own\/maker\/other"/,
    );
  }
  // Some servers list less than they have.
  expect(await pegboard(['models', 'test', 'own/maker/other'], options)).toMatchObject({ code: 0 });
});

test.each(['test', 'set'])('models %s on a terminal shows which model it waits for', async (command) => {
  const shown = Promise.withResolvers<void>();
  await using server = await listen((request, response) => {
    if (request.url?.endsWith('/models')) return void response.writeHead(404).end();
    void shown.promise.then(() => response.writeHead(500).end());
  });
  await using home = await createHome({
    'pegboard.yaml': `models: { providers: { own: { base_url: "${server.url}/v1" } } }\n`,
  });
  await using session = startOnTerminal(['models', command, 'slow'], { home: home.path, env: noKeys });
  await session.next(/Asking own\/slow for a word · \d+ s/);
  shown.resolve();
  await session.next(/has a problem of its own/);
  expect((await session.ended).code).toBe(1);
});

test('control characters in the id of a model are spelled out the same way everywhere', async () => {
  const id = 'red\u{1b}[31m\u{1b}x\u{7}end';
  const shown = 'own/red\\u{1b}[31m\\u{1b}x\\u{7}end';
  await using server = await startScriptedModel(() => ({ text: 'ok' }), { models: [{ id }] });
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({
      models: { providers: { own: { base_url: server.baseUrl } } },
    }),
  });
  const options = { home: home.path, env: noKeys };
  expect((await pegboard(['models', 'list'], options)).stdout).toContain(shown);
  expect((await pegboard(['models', 'test'], options)).stdout).toContain(shown);
  await using local = await createHome();
  const ollama = { ...noKeys, OLLAMA_HOST: server.baseUrl.replace(/\/v1$/, '') };
  const offered = await pegboard(['chat', 'hello'], { home: local.path, env: ollama });
  expect(offered.stderr).toContain(shown.replace('own/', 'PEGBOARD_MODEL=ollama/'));
});

interface UsageLine {
  readonly name: string;
  readonly cost: number;
}
