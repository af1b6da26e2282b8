import { expect, test } from 'vitest';
import { presets } from '../../../../../host/agent/models/choice/presets.ts';
import { costOf, findPrice } from '../../../../../host/agent/models/prices/find-price.ts';
import { createUnpriced, withPrice } from '../../../../../host/agent/models/prices/unknown-price.ts';
import { prices, pricesAsOf } from '../../../../../host/agent/models/prices/price-table.ts';
import { ask, modelAt } from '../../../../kit/servers/scripted-model-client.ts';
import { startScriptedModel } from '../../../../../host/testing/index.ts';

const usual = [
  'openai/gpt-5',
  'openai/gpt-5-2025-08-07',
  'openai/gpt-5-mini',
  'openai/gpt-5.4-2026-03-05',
  'openai/gpt-5.6-terra',
  'openai/gpt-6-luna-2026-09-22',
  'openai/gpt-4.1',
  'openai/gpt-4.1-mini-2025-04-14',
  'openai/gpt-4o-2024-11-20',
  'openai/gpt-4o-mini',
  'openai/o3',
  'openai/o4-mini-2025-04-16',
  'anthropic/claude-opus-4-5-20251101',
  'anthropic/claude-opus-5',
  'anthropic/claude-sonnet-4-20250514',
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-haiku-4-5-20251001',
  'anthropic/claude-3-5-haiku-latest',
  'gemini/gemini-2.5-pro',
  'gemini/models/gemini-2.5-flash',
  'mistral/mistral-small-latest',
  'mistral/mistral-medium-2508',
  'mistral/mistral-large-2411',
  'mistral/mistral-large-2512',
  'deepseek/deepseek-chat',
  'perplexity/sonar-pro',
  'xai/grok-4-0709',
  'groq/llama-3.3-70b-versatile',
] as const;

const priceOf = (reference: string, baseUrl?: string): ReturnType<typeof findPrice> => {
  const [id = '', ...name] = reference.split('/');
  const official = presets[id as keyof typeof presets].baseUrl;
  return findPrice({ id, baseUrl: baseUrl ?? official }, name.join('/'));
};

test.each(usual)('%s has a price', (reference) => {
  expect(priceOf(reference)).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
});

test('a dated name has the price of its model, not that of a shorter one', () => {
  expect(priceOf('openai/gpt-5-mini-2025-08-07')).toBe(prices['openai']!['gpt-5-mini']);
  expect(priceOf('openai/gpt-5-unheard-of')).toBeUndefined();
  expect(priceOf('openai/constructor')).toBeUndefined();
});

test('another server under the name of a provider has no known price', () => {
  expect(priceOf('openai/gpt-5', 'http://127.0.0.1:8000/v1')).toBeUndefined();
});

test('every row is a plausible price, and the table has a date', () => {
  expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const [provider, models] of Object.entries(prices)) {
    expect(presets).toHaveProperty(provider);
    for (const { input, output, cached, contextWindow } of Object.values(models)) {
      expect(input).toBeGreaterThan(0);
      expect(output).toBeGreaterThanOrEqual(input);
      expect(cached).toBeLessThanOrEqual(input);
      expect(contextWindow).toBeGreaterThan(30_000);
    }
  }
});

test('the cost counts cached tokens at their own price, and gives way to what the provider states', async () => {
  const price = { input: 2, output: 8, cached: 0.5, contextWindow: 100_000 };
  expect(costOf(price, { input: 1_000_000, cached: 400_000, output: 100_000 })).toBeCloseTo(1.2 + 0.2 + 0.8);
  await using server = await startScriptedModel([{ text: 'a' }, { text: 'b', usage: { cost: 0.25 } }]);
  const model = withPrice(modelAt(server.baseUrl), {
    provider: { local: false },
    priceOf: async () => price,
    spend: () => undefined,
    unpriced: createUnpriced(),
  });
  const { usage } = (await ask(model)).reply;
  expect(usage.cost).toBeCloseTo(costOf(price, usage), 12);
  expect(usage.cost).toBeGreaterThan(0);
  expect((await ask(model)).reply.usage.cost).toBe(0.25);
});
