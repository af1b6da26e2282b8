import type { ModelUsage } from '../../../api/model.ts';

/** `usage` as servers write it. */
export interface WireUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  /** DeepSeek. */
  readonly prompt_cache_hit_tokens?: number | null;
  /** US dollars: OpenRouter, https://openrouter.ai/docs/use-cases/usage-accounting. */
  readonly cost?: number | null;
}

/**
 * Tokens as reported by the server, else four characters per token. Cost only where the provider states it: others get
 * it from the table of prices.
 */
export function toUsage(
  usage: WireUsage | null | undefined,
  characters: { readonly input: () => number; readonly output: () => number },
): ModelUsage {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens;
  return {
    input: usage?.prompt_tokens ?? Math.ceil(characters.input() / 4),
    output: usage?.completion_tokens ?? Math.ceil(characters.output() / 4),
    ...(typeof cached === 'number' && { cached }),
    ...(typeof usage?.cost === 'number' && { cost: usage.cost }),
  };
}
