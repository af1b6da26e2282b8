import { expect, test } from 'vitest';
import { listen } from '../../../../host/testing/http-server.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

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
  expect(failed.stderr).toContain('needs OPENAI_API_KEY');
});
