/** Prices of one model at its own provider. */
export interface Price {
  /** US dollars for a million tokens. */
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had in its cache. */
  readonly cached: number;
  /** Tokens. */
  readonly contextWindow: number;
}

/** The day of the data set that the table was taken from. */
export const pricesAsOf = '2026-09-23';

/**
 * Standard prices for short prompts, as the providers publish them:
 * developers.openai.com/api/docs/pricing, platform.claude.com/docs/en/about-claude/pricing,
 * ai.google.dev/gemini-api/docs/pricing, mistral.ai/pricing, api-docs.deepseek.com/quick_start/pricing,
 * docs.perplexity.ai/docs/getting-started/pricing, docs.x.ai/docs/models, groq.com/pricing, cerebras.ai/pricing. Taken
 * from the open data set github.com/pydantic/genai-prices (0.1.8), not from these pages themselves; GPT-6.1 and Claude 5.5
 * are later, from what was written about them in November 2026. docs/models.md says how to renew it.
 */
export const prices: { readonly [provider: string]: { readonly [model: string]: Price } } = {
  openai: {
    'gpt-6.1-sol': { input: 2, output: 10, cached: 0.1, contextWindow: 1_050_000 },
    'gpt-6.1-terra': { input: 1, output: 5, cached: 0.05, contextWindow: 1_050_000 },
    'gpt-6-astra': { input: 10, output: 50, cached: 1, contextWindow: 1_050_000 },
    'gpt-6-sol': { input: 2, output: 10, cached: 0.2, contextWindow: 1_050_000 },
    'gpt-6-luna': { input: 0.1, output: 0.5, cached: 0.01, contextWindow: 1_050_000 },
    'gpt-5.6': { input: 4, output: 20, cached: 0.4, contextWindow: 1_050_000 },
    'gpt-5.6-sol': { input: 4, output: 20, cached: 0.4, contextWindow: 1_050_000 },
    'gpt-5.6-terra': { input: 2, output: 12, cached: 0.2, contextWindow: 1_050_000 },
    'gpt-5.6-luna': { input: 0.2, output: 1.2, cached: 0.02, contextWindow: 1_050_000 },
    'gpt-5.5': { input: 5, output: 30, cached: 0.5, contextWindow: 1_000_000 },
    'gpt-5.5-pro': { input: 30, output: 180, cached: 30, contextWindow: 1_000_000 },
    'gpt-5.4': { input: 2.5, output: 15, cached: 0.25, contextWindow: 1_050_000 },
    'gpt-5.4-mini': { input: 0.75, output: 4.5, cached: 0.075, contextWindow: 400_000 },
    'gpt-5.4-nano': { input: 0.2, output: 1.25, cached: 0.02, contextWindow: 400_000 },
    'gpt-5.3-codex': { input: 1.75, output: 14, cached: 0.175, contextWindow: 400_000 },
    'gpt-5.2': { input: 1.75, output: 14, cached: 0.175, contextWindow: 400_000 },
    'gpt-5.1': { input: 1.25, output: 10, cached: 0.125, contextWindow: 400_000 },
    'gpt-5': { input: 1.25, output: 10, cached: 0.125, contextWindow: 400_000 },
    'gpt-5-codex': { input: 1.25, output: 10, cached: 0.125, contextWindow: 400_000 },
    'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025, contextWindow: 400_000 },
    'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005, contextWindow: 400_000 },
    'gpt-4.1': { input: 2, output: 8, cached: 0.5, contextWindow: 1_047_576 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1, contextWindow: 1_047_576 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.025, contextWindow: 1_047_576 },
    'gpt-4o': { input: 2.5, output: 10, cached: 1.25, contextWindow: 128_000 },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075, contextWindow: 128_000 },
    o3: { input: 2, output: 8, cached: 0.5, contextWindow: 200_000 },
    'o3-mini': { input: 1.1, output: 4.4, cached: 0.55, contextWindow: 200_000 },
    'o4-mini': { input: 1.1, output: 4.4, cached: 0.275, contextWindow: 200_000 },
  },
  anthropic: {
    'claude-fable-5-1': { input: 10, output: 50, cached: 0.25, contextWindow: 1_000_000 },
    'claude-fable-5': { input: 10, output: 50, cached: 1, contextWindow: 1_000_000 },
    'claude-opus-5-5': { input: 4, output: 20, cached: 0.2, contextWindow: 1_000_000 },
    'claude-opus-5': { input: 5, output: 25, cached: 0.5, contextWindow: 1_000_000 },
    'claude-opus-4-8': { input: 5, output: 25, cached: 0.5, contextWindow: 1_000_000 },
    'claude-opus-4-7': { input: 5, output: 25, cached: 0.5, contextWindow: 1_000_000 },
    'claude-opus-4-6': { input: 5, output: 25, cached: 0.5, contextWindow: 1_000_000 },
    'claude-opus-4-5': { input: 5, output: 25, cached: 0.5, contextWindow: 200_000 },
    'claude-opus-4-1': { input: 15, output: 75, cached: 1.5, contextWindow: 200_000 },
    'claude-opus-4': { input: 15, output: 75, cached: 1.5, contextWindow: 200_000 },
    'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.1, contextWindow: 1_000_000 },
    'claude-sonnet-5': { input: 2, output: 10, cached: 0.2, contextWindow: 1_000_000 },
    'claude-sonnet-4-6': { input: 3, output: 15, cached: 0.3, contextWindow: 1_000_000 },
    'claude-sonnet-4-5': { input: 3, output: 15, cached: 0.3, contextWindow: 200_000 },
    'claude-sonnet-4': { input: 3, output: 15, cached: 0.3, contextWindow: 200_000 },
    'claude-haiku-5-5': { input: 0.1, output: 0.5, cached: 0.01, contextWindow: 1_000_000 },
    'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1, contextWindow: 200_000 },
    'claude-3-5-haiku': { input: 0.8, output: 4, cached: 0.08, contextWindow: 200_000 },
  },
  gemini: {
    'gemini-3.5-flash': { input: 1.5, output: 9, cached: 0.15, contextWindow: 1_048_576 },
    'gemini-3.1-pro-preview': { input: 2, output: 12, cached: 0.2, contextWindow: 1_048_576 },
    'gemini-3.1-flash-lite': { input: 0.25, output: 1.5, cached: 0.025, contextWindow: 1_048_576 },
    'gemini-3-pro-preview': { input: 2, output: 12, cached: 0.2, contextWindow: 1_048_576 },
    'gemini-3-flash-preview': { input: 0.5, output: 3, cached: 0.05, contextWindow: 1_048_576 },
    'gemini-2.5-pro': { input: 1.25, output: 10, cached: 0.125, contextWindow: 1_048_576 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.03, contextWindow: 1_048_576 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cached: 0.01, contextWindow: 1_048_576 },
  },
  mistral: {
    'mistral-large-latest': { input: 2, output: 6, cached: 2, contextWindow: 128_000 },
    'mistral-large-2512': { input: 0.5, output: 1.5, cached: 0.05, contextWindow: 262_144 },
    'mistral-medium-latest': { input: 1.5, output: 7.5, cached: 0.15, contextWindow: 128_000 },
    'mistral-small-latest': { input: 0.1, output: 0.3, cached: 0.1, contextWindow: 128_000 },
    'codestral-latest': { input: 0.3, output: 0.9, cached: 0.3, contextWindow: 256_000 },
  },
  deepseek: {
    'deepseek-chat': { input: 0.27, output: 1.1, cached: 0.07, contextWindow: 128_000 },
    'deepseek-reasoner': { input: 0.55, output: 2.19, cached: 0.14, contextWindow: 128_000 },
    'deepseek-v4-flash': { input: 0.44, output: 1.32, cached: 0.014, contextWindow: 1_000_000 },
    'deepseek-v4-pro': { input: 1.32, output: 3.96, cached: 0.044, contextWindow: 1_000_000 },
  },
  perplexity: {
    sonar: { input: 1, output: 1, cached: 1, contextWindow: 128_000 },
    'sonar-pro': { input: 3, output: 15, cached: 3, contextWindow: 200_000 },
    'sonar-reasoning-pro': { input: 2, output: 8, cached: 2, contextWindow: 128_000 },
    'sonar-deep-research': { input: 2, output: 8, cached: 2, contextWindow: 128_000 },
  },
  xai: {
    'grok-4.5': { input: 2, output: 6, cached: 0.3, contextWindow: 500_000 },
    'grok-4.3': { input: 1.25, output: 2.5, cached: 0.2, contextWindow: 1_000_000 },
    'grok-4.20': { input: 1.25, output: 2.5, cached: 0.2, contextWindow: 1_000_000 },
    'grok-4': { input: 3, output: 15, cached: 0.75, contextWindow: 256_000 },
    'grok-4-fast': { input: 0.2, output: 0.5, cached: 0.05, contextWindow: 2_000_000 },
    'grok-4-1-fast': { input: 0.2, output: 0.5, cached: 0.05, contextWindow: 2_000_000 },
    'grok-3': { input: 3, output: 15, cached: 0.75, contextWindow: 131_072 },
    'grok-3-mini': { input: 0.3, output: 0.5, cached: 0.075, contextWindow: 131_072 },
    'grok-code-fast-1': { input: 0.2, output: 1.5, cached: 0.02, contextWindow: 256_000 },
  },
  groq: {
    'openai/gpt-oss-120b': { input: 0.15, output: 0.6, cached: 0.075, contextWindow: 131_072 },
    'openai/gpt-oss-20b': { input: 0.075, output: 0.3, cached: 0.0375, contextWindow: 131_072 },
    'llama-3.3-70b-versatile': { input: 0.59, output: 0.79, cached: 0.59, contextWindow: 131_072 },
    'llama-3.1-8b-instant': { input: 0.05, output: 0.08, cached: 0.05, contextWindow: 131_072 },
  },
  cerebras: {
    'gpt-oss-120b': { input: 0.35, output: 0.75, cached: 0.35, contextWindow: 131_072 },
    'llama-3.3-70b': { input: 0.85, output: 1.2, cached: 0.85, contextWindow: 128_000 },
  },
};
