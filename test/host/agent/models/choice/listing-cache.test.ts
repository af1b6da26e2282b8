import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createListingCache } from '../../../../../host/agent/models/choice/listing-cache.ts';
import { silentLogger } from '../../../../../host/core/log.ts';
import { configFor } from '../../../../kit/homes/agent-home.ts';
import { pegboard, pegboardJson } from '../../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../../kit/homes/home.ts';
import { startScriptedModel, type ScriptedModelOptions } from '../../../../../host/testing/index.ts';

const file = 'data/model-listings.json';
const day = 24 * 60 * 60 * 1000;

interface Kept {
  readonly [model: string]: { readonly contextWindow?: number; readonly until: number };
}
const keptIn = async (home: TestHome): Promise<Kept> => JSON.parse(await home.read(file)) as Kept;

const serve = (options: ScriptedModelOptions) => startScriptedModel(() => ({ text: 'pong' }), options);
const ping = (home: TestHome) => pegboard(['chat', 'ping'], { home: home.path });

test('a window that the server lists is asked for once, and counts in later processes', async () => {
  await using model = await serve({ models: [{ id: 'test', context_length: 12_345 }] });
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  expect((await ping(home)).stdout).toBe('pong\n');
  expect(model.listings).toBe(1);
  expect((await ping(home)).stdout).toBe('pong\n');
  const { contextWindow } = await pegboardJson<{ contextWindow: number }>(['inject'], { home: home.path });
  expect({ contextWindow, listings: model.listings }).toEqual({ contextWindow: 12_345, listings: 1 });
  const { until } = (await keptIn(home))[`${model.baseUrl} test`]!;
  expect(until).toBeLessThanOrEqual(Date.now() + 7 * day);
});

test('a server that lists no window is not asked again at once, but the next day', async () => {
  await using model = await serve({ models: [{ id: 'test' }] });
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  await ping(home);
  await ping(home);
  expect(model.listings).toBe(1);
  const [[key, said]] = Object.entries(await keptIn(home)) as [[string, Kept[string]]];
  expect(said.contextWindow).toBeUndefined();
  expect(said.until).toBeLessThanOrEqual(Date.now() + day);
  await home.write(file, JSON.stringify({ [key]: { until: Date.now() - 1 } }));
  await ping(home);
  expect(model.listings).toBe(2);
});

test('an answer that never came is kept for minutes, and what is no entry counts as none', async () => {
  await using model = await serve({ apiKey: 'right' });
  await using home = await createHome({
    'pegboard.yaml': configFor(model),
    [file]: JSON.stringify({
      [`${model.baseUrl} test`]: { contextWindow: 'many', until: Date.now() + day },
      x: null,
    }),
  });
  expect((await ping(home)).code).toBe(1);
  const kept = await keptIn(home);
  expect(Object.keys(kept)).toEqual([`${model.baseUrl} test`]);
  expect(kept[`${model.baseUrl} test`]!.until).toBeLessThanOrEqual(Date.now() + 10 * 60_000);
});

test.each([
  ['a provider of one’s own', 'own', 0.0105],
  ['openrouter at another address', 'openrouter', 0.0105],
])('the price that %s lists is what a request costs', async (_title, id, cost) => {
  const usage = {
    prompt_tokens: 1000,
    completion_tokens: 500,
    prompt_tokens_details: { cached_tokens: 500 },
  };
  await using model = await startScriptedModel(() => ({ text: 'pong', usage }), {
    models: [
      {
        id: 'maker/test',
        context_length: 12_345,
        pricing: { prompt: '0.000010', completion: '0.00001', input_cache_read: '0.000001' },
      },
    ],
  });
  const models = {
    default: `${id}/maker/test`,
    providers: { [id]: { base_url: model.baseUrl, api_key: 'none' } },
  };
  await using home = await createHome({ 'pegboard.yaml': JSON.stringify({ models }) });
  const chat = (): Promise<{ usage: { cost?: number } }> =>
    pegboardJson(['chat', 'ping'], { home: home.path });
  expect((await chat()).usage.cost).toBeCloseTo(cost, 9);
  expect((await chat()).usage.cost).toBeCloseTo(cost, 9);
  expect(model.listings).toBe(1);
  const listed = await pegboard(['usage'], { home: home.path });
  expect(listed.stdout).toContain('$0.02');
  expect(listed.stdout).not.toContain('?');
});

test('a home that is not there is not made for it', async () => {
  await using home = await createHome();
  const missing = join(home.path, 'missing');
  await createListingCache(missing, silentLogger).set('http://x/v1', 'm', { until: Date.now() + day });
  expect(existsSync(missing)).toBe(false);
});
