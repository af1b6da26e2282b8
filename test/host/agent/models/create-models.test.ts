import { describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import type { ModelProvider } from '../../../../host/api/model.ts';
import type { Brain } from '../../../../host/api/agent.ts';
import { chooseModels } from '../../../../host/agent/models/choice/choose.ts';
import type { ModelsConfig } from '../../../../host/formats/models.ts';
import { createModels, type Models } from '../../../../host/agent/models/create-models.ts';
import { findLocalModels, noModelError } from '../../../../host/agent/models/choice/local-models.ts';
import { presets } from '../../../../host/agent/models/choice/presets.ts';
import { silentLogger } from '../../../../host/core/log.ts';
import { createRedactor } from '../../../../host/core/secrets/redact.ts';
import { loadConfig } from '../../../../host/config.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { ask } from '../../../kit/servers/scripted-model-client.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';

type Environment = { readonly [name: string]: string };

const modelsOf = (
  config: ModelsConfig,
  environment: Environment = {},
  providers: ReadonlyMap<string, ModelProvider> = new Map(),
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
    retries: { attempts: 2, firstDelayMs: 1, maxDelayMs: 10 },
  });

const brain = (changes: Partial<Brain>): Brain => ({
  backend: 'openai_compat',
  nativeToolUse: 'auto',
  fallback: [],
  ...changes,
});

/** "provider/name" of the chosen models, best first. */
const chosen = (config: ModelsConfig, environment: Environment, of?: Brain): string[] =>
  chooseModels(of, config, environment).map(({ provider, name }) => `${provider.id}/${name ?? '*'}`);

const keys = { OPENAI_API_KEY: 'sk-1', OPENROUTER_API_KEY: 'sk-or-1' };

describe('which model a home has:', () => {
  const cases: readonly (readonly [string, ModelsConfig, Environment, readonly string[]])[] = [
    ['none without config and environment', {}, {}, []],
    ["OpenAI's usual one with a key", {}, { OPENAI_API_KEY: 'sk-1' }, ['openai/gpt-5-mini']],
    [
      "OpenRouter's usual one with its key",
      {},
      { OPENROUTER_API_KEY: 'x' },
      ['openrouter/openai/gpt-5-mini'],
    ],
    ['the first that a server of one’s own lists', {}, { OPENAI_BASE_URL: 'http://x/v1' }, ['openai/*']],
    ['PEGBOARD_MODEL', {}, { ...keys, PEGBOARD_MODEL: 'openai/gpt-5' }, ['openai/gpt-5']],
    ['a bare PEGBOARD_MODEL at OpenAI', {}, { ...keys, PEGBOARD_MODEL: 'gpt-5' }, ['openai/gpt-5']],
    [
      'a bare PEGBOARD_MODEL at the address',
      {},
      { OPENAI_BASE_URL: 'http://x/v1', PEGBOARD_MODEL: 'qwen3' },
      ['openai/qwen3'],
    ],
    [
      'a name with a slash at the address',
      {},
      { OPENAI_BASE_URL: 'http://x/v1', PEGBOARD_MODEL: 'Qwen/Qwen3' },
      ['openai/Qwen/Qwen3'],
    ],
    [
      'a maker that only OpenRouter has',
      {},
      { ...keys, PEGBOARD_MODEL: 'moonshotai/kimi-k2' },
      ['openrouter/moonshotai/kimi-k2'],
    ],
    [
      'OpenRouter by name',
      {},
      { ...keys, PEGBOARD_MODEL: 'openrouter/anthropic/claude-sonnet-4.5' },
      ['openrouter/anthropic/claude-sonnet-4.5'],
    ],
    ["OpenRouter's own", {}, { ...keys, PEGBOARD_MODEL: 'openrouter/auto' }, ['openrouter/openrouter/auto']],
    [
      'a maker whose key is there',
      {},
      { ...keys, ANTHROPIC_API_KEY: 'a', PEGBOARD_MODEL: 'anthropic/claude-opus-4' },
      ['anthropic/claude-opus-4'],
    ],
    [
      'a maker without its key by OpenRouter',
      {},
      { ...keys, PEGBOARD_MODEL: 'anthropic/claude-opus-4' },
      ['openrouter/anthropic/claude-opus-4'],
    ],
    ['a local one without any key', {}, { PEGBOARD_MODEL: 'ollama/llama3.2:3b' }, ['ollama/llama3.2:3b']],
    [
      'the config before the environment',
      { default: 'groq/llama-3.3-70b' },
      { ...keys, GROQ_API_KEY: 'g', PEGBOARD_MODEL: 'gpt-5' },
      ['groq/llama-3.3-70b'],
    ],
    [
      'a provider of one’s own',
      { default: 'mine/x', providers: { mine: { base_url: 'http://x' } } },
      {},
      ['mine/x'],
    ],
    [
      'a bare name at the only provider',
      { default: 'x', providers: { mine: { base_url: 'http://x' } } },
      keys,
      ['mine/x'],
    ],
    [
      'with fallbacks',
      { default: 'openai/gpt-5', fallback: ['ollama/a', 'openrouter/b/c'] },
      keys,
      ['openai/gpt-5', 'ollama/a', 'openrouter/b/c'],
    ],
  ];
  test.for(cases)('%s', ([, config, environment, expected]) => {
    expect(chosen(config, environment)).toEqual(expected);
  });

  test("an agent's own model, backend and fallbacks go before the home's", () => {
    const config = { default: 'openai/gpt-5', fallback: ['ollama/a'] };
    expect(chosen(config, keys, brain({ model: 'gpt-4.1', fallback: ['ollama/b'] }))).toEqual([
      'openai/gpt-4.1',
      'ollama/b',
    ]);
    expect(
      chosen(
        config,
        { ...keys, ANTHROPIC_API_KEY: 'a' },
        brain({ model: 'claude-opus-4', backend: 'anthropic' }),
      ),
    ).toEqual(['anthropic/claude-opus-4', 'ollama/a']);
  });

  test("an agent's backend without a key is refused, and no other provider used instead", () => {
    expect(() => chosen({}, keys, brain({ model: 'claude-opus-4', backend: 'anthropic' }))).toThrow(
      'The model "claude-opus-4" needs a key: `',
    );
  });

  test.for([
    ['openai/gpt-5', {}, /secret set OPENAI_API_KEY/],
    ['gpt-5', {}, /There is no provider for the model "gpt-5"/],
    ['opnai/gpt-5', {}, /no provider "opnai".*Did you mean "openai\/gpt-5"\?/],
    ['nobody/x', { OPENAI_API_KEY: 'sk-1' }, /no provider "nobody"/],
  ] as const)('%s leads nowhere, and the message says what to do', ([name, environment, message]) => {
    expect(() => chosen({ default: name }, environment)).toThrow(message);
  });

  test('a provider that nobody knows needs an address', () => {
    expect(() => chosen({ default: 'mine/x', providers: { mine: {} } }, {})).toThrow(
      /mine.*needs a base_url/,
    );
  });
});

test('every provider of the table is reached at its own address with its own variable', () => {
  for (const [id, preset] of Object.entries(presets)) {
    const variable = 'keyVariable' in preset ? preset.keyVariable : undefined;
    const [choice] = chooseModels(undefined, { default: `${id}/m` }, variable ? { [variable]: 'key' } : {});
    expect(choice!.provider).toMatchObject({ id, baseUrl: preset.baseUrl });
    expect(choice!.provider.apiKey).toBe(variable && 'key');
  }
});

test('a model from the environment answers, with the key, at the address', async () => {
  await using server = await startScriptedModel([{ text: 'pong' }], { apiKey: 'sk-1' });
  const model = await modelsOf({}, { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-1' }).resolve();
  expect(model).toMatchObject({ id: 'openai/scripted', nativeTools: true, contextWindow: 128_000 });
  expect((await ask(model!)).reply.text).toBe('pong');
});

test('what pegboard.yaml says of a provider is sent', async () => {
  await using server = await startScriptedModel([{ text: '<tool_call>{"name":"read_file"}</tool_call>' }]);
  await using home = await createHome({
    'pegboard.yaml': `models:
  default: mine/big
  contextWindow: 9000
  providers:
    mine:
      base_url: ${server.baseUrl}
      api_key: \${MY_KEY}
      native_tool_use: false
      headers: { X-Team: tools }
`,
  });
  const { config, diagnostics } = await loadConfig(home.path, {
    ...processSurroundings(),
    resolve: () => 'mk-9f27c1d84be3',
  });
  expect(diagnostics).toEqual([]);
  const models = modelsOf(config.models);
  const model = await models.resolve(brain({ temperature: 0.5, maxTokens: 77 }));
  expect(model).toMatchObject({ id: 'mine/big', contextWindow: 9000, nativeTools: false });
  expect((await ask(model!)).reply.toolCalls).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({ model: 'big', temperature: 0.5, max_tokens: 77 });
  expect(server.headers[0]).toMatchObject({ authorization: 'Bearer mk-9f27c1d84be3', 'x-team': 'tools' });
  expect([...models.secrets().values()]).toEqual(['mk-9f27c1d84be3']);
});

test('the same settings give the same model, which remembers what its server does not take', async () => {
  await using server = await startScriptedModel([{ text: 'a' }, { text: 'b' }], {
    refuseTools: 'does not support tools',
  });
  const models = modelsOf({}, { OPENAI_BASE_URL: server.baseUrl, PEGBOARD_MODEL: 'x' });
  await ask((await models.resolve())!);
  await ask((await models.resolve())!);
  expect(server.requests).toHaveLength(3);
});

test('a model that fails is followed by the one in fallback', async () => {
  await using bad = await startScriptedModel(() => ({ faults: { status: 500 } }));
  await using good = await startScriptedModel([{ text: 'here' }]);
  const models = modelsOf({
    default: 'bad/x',
    fallback: ['good/y'],
    providers: { bad: { base_url: bad.baseUrl }, good: { base_url: good.baseUrl } },
  });
  const { reply } = await ask((await models.resolve())!);
  expect(reply).toMatchObject({ text: 'here', model: 'good/y' });
  expect(bad.requests).toHaveLength(2);
});

test.for([
  ['box', 'http://box:11434/v1'],
  ['box:99', 'http://box:99/v1'],
  [':99', 'http://127.0.0.1:99/v1'],
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0:99', 'http://127.0.0.1:99/v1'],
  ['https://box.example/ollama/', 'https://box.example/ollama/v1'],
  ['', 'http://127.0.0.1:11434/v1'],
] as const)('with OLLAMA_HOST=%s Ollama is at %s', ([host, baseUrl]) => {
  const [choice] = chooseModels(undefined, { default: 'ollama/m' }, { OLLAMA_HOST: host });
  expect(choice!.provider.baseUrl).toBe(baseUrl);
});

describe('the context window is', () => {
  const windowOf = async (config: ModelsConfig, environment: Environment, of?: Brain): Promise<number> =>
    (await modelsOf(config, environment).resolve(of))!.contextWindow;

  test('what is known of the model by its name', async () => {
    expect(await windowOf({ default: 'openai/gpt-4.1-mini' }, keys)).toBe(1_047_576);
    expect(await windowOf({ default: 'openrouter/anthropic/claude-sonnet-4.5' }, keys)).toBe(200_000);
  });

  test("the agent's, or the home's, or the provider's, when they say one", async () => {
    const config = {
      default: 'openai/gpt-5',
      contextWindow: 5000,
      providers: { openai: { contextWindow: 7000 } },
    };
    expect(await windowOf(config, keys)).toBe(5000);
    expect(await windowOf(config, keys, brain({ contextWindow: 3000 }))).toBe(3000);
    expect(await windowOf(config, keys, brain({ model: 'openai/o3' }))).toBe(7000);
  });

  test.for(['context_length', 'context_window', 'max_model_len', 'max_context_length'])(
    'what the server lists as %s',
    async (key) => {
      await using server = await startScriptedModel([], { models: [{ id: 'mystery', [key]: 12_345 }] });
      expect(await windowOf({}, { OPENAI_BASE_URL: server.baseUrl })).toBe(12_345);
    },
  );
});

test('embeddings come from the config, from EMBEDDING_MODEL, or with an OpenRouter key; else there are none', () => {
  expect(modelsOf({}, { OPENAI_API_KEY: 'sk-1' }).embedder()).toBeUndefined();
  expect(modelsOf({}, { OPENROUTER_API_KEY: 'x' }).embedder()).toMatchObject({
    model: 'qwen/qwen3-embedding-4b',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKey: 'x',
  });
  expect(
    modelsOf({}, { OPENAI_API_KEY: 'sk-1', EMBEDDING_MODEL: 'text-embedding-3-small' }).embedder(),
  ).toMatchObject({
    model: 'text-embedding-3-small',
    baseUrl: 'https://api.openai.com/v1',
  });
  const own = { model: 'nomic', base_url: 'http://127.0.0.1:11434/v1' };
  expect(modelsOf({ embeddings: own }, keys).embedder()).toEqual({
    model: 'nomic',
    baseUrl: 'http://127.0.0.1:11434/v1',
    headers: {},
  });
});

test('MEMORY_WORKER_MODEL is a model of its own', async () => {
  expect(await modelsOf({}, keys).worker()).toBeUndefined();
  const worker = await modelsOf({}, { ...keys, MEMORY_WORKER_MODEL: 'openai/gpt-5-nano' }).worker();
  expect(worker!.id).toBe('openai/gpt-5-nano');
});

test('a server on this machine is found with its models, and offered in the words for who has none', async () => {
  await using server = await startScriptedModel([], {
    models: [{ id: 'nomic-embed-text' }, { id: 'llama3.2' }],
  });
  const found = await findLocalModels({ OLLAMA_HOST: new URL(server.baseUrl).host });
  expect(found).toContainEqual({ provider: 'ollama', name: 'Ollama', models: ['llama3.2'] });
  const error = noModelError(found);
  expect(error.code).toBe('PEG_NO_MODEL');
  expect(error.message).toContain('PEGBOARD_MODEL=ollama/llama3.2');
  expect(noModelError().message).toContain('OPENROUTER_API_KEY');
});

test("a plugin's provider answers only for models that name it", async () => {
  const open: ModelProvider['open'] = ({ id, contextWindow }) => ({
    id,
    contextWindow,
    nativeTools: true,
    respond: () => Promise.reject(new Error('nobody asks')),
  });
  const providers = new Map([['parrot', { open }]]);
  const idOf = async (model: string | undefined): Promise<string | undefined> => {
    const environment = { OPENAI_API_KEY: 'key-1', ...(model !== undefined && { PEGBOARD_MODEL: model }) };
    return (await modelsOf({}, environment, providers).resolve())?.id;
  };
  expect(await idOf(undefined)).toBe('openai/gpt-5-mini');
  expect(await idOf('gpt-5')).toBe('openai/gpt-5');
  expect(await idOf('parrot/grey')).toBe('parrot/grey');
});
