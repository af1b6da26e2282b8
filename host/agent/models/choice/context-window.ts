import { defaultContextTokens } from './default-window.ts';
import type { Provider } from './provider.ts';
import { findPrice } from '../prices/find-price.ts';
import { askServer } from '../wire/ask-server.ts';
import { entryIn, listingOf, windowOf } from './listed-model.ts';
import type { ListingCache } from './listing-cache.ts';

/**
 * Tokens of input and output together, by model name; the first matching pattern wins. From the makers' documentation in
 * 2026: platform.openai.com/docs/models, docs.anthropic.com/en/docs/about-claude/models,
 * ai.google.dev/gemini-api/docs/models, docs.mistral.ai, api-docs.deepseek.com, docs.x.ai.
 */
const windows: readonly (readonly [RegExp, number])[] = [
  [/\bgpt-5[\w.]*-chat/, 128_000],
  [/\bgpt-5/, 400_000],
  [/\bgpt-4\.1/, 1_047_576],
  [/\bgpt-4o|\bgpt-4-turbo|\bchatgpt-4o/, 128_000],
  [/\bgpt-4(?![\w.])/, 8_192],
  [/\bgpt-3\.5-turbo/, 16_385],
  [/\bo[134](?:-|$)/, 200_000],
  [/\bgpt-oss/, 131_072],
  [/\bclaude/, 200_000],
  [/\bgemini-1\.5-pro/, 2_097_152],
  [/\bgemini-/, 1_048_576],
  [/\bgrok-4[\w.-]*fast/, 2_000_000],
  [/\bgrok-4/, 256_000],
  [/\bgrok-/, 131_072],
  [/\bdeepseek-(?:chat|reasoner|v3|r1)/, 128_000],
  [/\bcodestral|\bdevstral/, 128_000],
  [/\bmistral-(?:large|medium|small)|\bmagistral|\bministral/, 128_000],
  [/\bllama-?3\.[123]/, 131_072],
];

/**
 * Tokens. Asks the server only for models that are neither in the table nor cached, and for local ones, whose window
 * depends on how they are loaded.
 */
export async function contextWindowOf(
  provider: Provider,
  name: string,
  cache: ListingCache,
): Promise<number> {
  if (provider.contextWindow !== undefined) return provider.contextWindow;
  // A local server may load a model with a smaller window.
  if (provider.local) return (await loadedWindows(provider))(name) ?? defaultLocalTokens;
  const priced = findPrice(provider, name)?.contextWindow;
  if (priced !== undefined) return priced;
  const known = windows.find(([pattern]) => pattern.test(name.toLowerCase()));
  return known?.[1] ?? (await listingOf(provider, name, cache)).contextWindow ?? defaultContextTokens;
}

/** The default window of Ollama and LM Studio: docs.ollama.com/context-length. */
const defaultLocalTokens = 4_096;

/**
 * How the models of a local server are loaded: tokens, by name. Ollama reports running models only, LM Studio and vLLM all.
 */
export async function loadedWindows(provider: Provider): Promise<(name: string) => number | undefined> {
  const answers = await Promise.all(
    ['../api/ps', '../api/v0/models', 'models'].map((path) => askServer(provider, path)),
  );
  return (name) => answers.map((answer) => windowIn(answer, name)).find((window) => window !== undefined);
}

const windowIn = (answer: unknown, name: string): number | undefined => windowOf(entryIn(answer, name));
