import type { Provider } from './provider.ts';
import { findPrice } from '../prices/find-price.ts';
import { askServer } from '../wire/ask-server.ts';
import type { WindowCache } from './window-cache.ts';

/** For unknown models: most current ones have at least this. */
const defaultContextTokens = 128_000;

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
export async function contextWindowOf(provider: Provider, name: string, cache: WindowCache): Promise<number> {
  if (provider.contextWindow !== undefined) return provider.contextWindow;
  // A local server may load a model with a smaller window.
  if (provider.local) return (await loadedWindows(provider))(name) ?? defaultLocalTokens;
  const priced = findPrice(provider, name)?.contextWindow;
  if (priced !== undefined) return priced;
  const known = windows.find(([pattern]) => pattern.test(name.toLowerCase()));
  return known?.[1] ?? (await listedWindow(provider, name, cache)) ?? defaultContextTokens;
}

/** The default window of Ollama and LM Studio: docs.ollama.com/context-length. */
const defaultLocalTokens = 4_096;

/** The field's name differs between servers. */
export const windowKeys = [
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_model_len',
  'max_context_length',
  'max_input_tokens',
] as const;

const minute = 60_000;
/** How long a response is cached: with a window, without one, and when there was no response. */
const maxAgeMs = { figure: 7 * 24 * 60 * minute, none: 24 * 60 * minute, silence: 10 * minute } as const;

async function listedWindow(
  provider: Provider,
  name: string,
  cache: WindowCache,
): Promise<number | undefined> {
  const known = cache.get(provider.baseUrl, name);
  if (known) return known.tokens;
  const answer = await askServer(provider, 'models');
  const tokens = windowIn(answer, name);
  const age =
    tokens !== undefined ? maxAgeMs.figure : answer !== undefined ? maxAgeMs.none : maxAgeMs.silence;
  await cache.set(provider.baseUrl, name, {
    ...(tokens !== undefined && { tokens }),
    until: Date.now() + age,
  });
  return tokens;
}

/**
 * How the models of a local server are loaded: tokens, by name. Ollama reports running models only, LM Studio and vLLM all.
 */
export async function loadedWindows(provider: Provider): Promise<(name: string) => number | undefined> {
  const answers = await Promise.all(
    ['../api/ps', '../api/v0/models', 'models'].map((path) => askServer(provider, path)),
  );
  return (name) => answers.map((answer) => windowIn(answer, name)).find((window) => window !== undefined);
}

function windowIn(answer: unknown, name: string): number | undefined {
  const { data, models } = (answer ?? {}) as { readonly data?: unknown; readonly models?: unknown };
  const listed = (Array.isArray(data) ? data : Array.isArray(models) ? models : []) as Record<
    string,
    unknown
  >[];
  // Ollama's "llama3.2" is "llama3.2:latest" in its lists.
  const names = [name, `${name}:latest`];
  const found = listed.find(
    (entry) => names.includes(entry?.['id'] as string) || names.includes(entry?.['name'] as string),
  );
  const numbers = windowKeys.map((key) => found?.[key]);
  return numbers.find((number) => typeof number === 'number' && number > 0) as number | undefined;
}
