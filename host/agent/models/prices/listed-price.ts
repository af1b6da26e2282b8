import type { Price } from './price-table.ts';

/** US dollars for a million tokens, as a server lists them. */
export type ListedPrice = Pick<Price, 'input' | 'output' | 'cached'>;

/** An entry of a server's list. */
export interface PricedEntry {
  /** OpenRouter: US dollars for one token, as text. */
  readonly pricing?: {
    readonly prompt?: unknown;
    readonly completion?: unknown;
    readonly input_cache_read?: unknown;
  } | null;
}

/** Undefined also for a variable price, which OpenRouter writes as -1. */
export function listedPrice({ pricing }: PricedEntry): ListedPrice | undefined {
  const [input, output, cached] = [pricing?.prompt, pricing?.completion, pricing?.input_cache_read].map(
    (text) => (typeof text === 'string' || typeof text === 'number' ? perMillion(Number(text)) : undefined),
  );
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cached: cached ?? input };
}

/** Of what was stored. */
export function isListedPrice(stored: unknown): stored is ListedPrice {
  const { input, output, cached } = (stored ?? {}) as Record<keyof ListedPrice, unknown>;
  return [input, output, cached].every((dollars) => typeof dollars === 'number' && dollars >= 0);
}

/** Without the noise of a multiplication in binary. */
function perMillion(dollars: number): number | undefined {
  return dollars >= 0 && dollars < Infinity ? Number((dollars * 1_000_000).toPrecision(6)) : undefined;
}
