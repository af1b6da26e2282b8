import { listedPrice, type PricedEntry } from '../prices/listed-price.ts';
import { askServer } from '../wire/ask-server.ts';
import type { Listing, ListingCache } from './listing-cache.ts';
import type { Provider } from './provider.ts';

/** An entry of a server's list of models. */
export type ListEntry = PricedEntry & { readonly [key: string]: unknown };

/** The field's name differs between servers. */
const windowKeys = [
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_model_len',
  'max_context_length',
  'max_input_tokens',
] as const;

const minute = 60_000;
/** How long an answer is cached: one that says something, one that doesn't, and when there was none. */
const maxAgeMs = { figure: 7 * 24 * 60 * minute, none: 24 * 60 * minute, silence: 10 * minute } as const;

/** What the server lists about the model, from the cache while that is current. */
export async function listingOf(provider: Provider, name: string, cache: ListingCache): Promise<Listing> {
  const known = cache.get(provider.baseUrl, name);
  if (known) return known;
  const answer = await askServer(provider, 'models');
  const entry = entryIn(answer, name);
  const contextWindow = windowOf(entry);
  const price = entry && listedPrice(entry);
  const listing = { ...(contextWindow !== undefined && { contextWindow }), ...(price && { price }) };
  const says = Object.keys(listing).length > 0;
  const age = says ? maxAgeMs.figure : answer !== undefined ? maxAgeMs.none : maxAgeMs.silence;
  await cache.set(provider.baseUrl, name, { ...listing, until: Date.now() + age });
  return listing;
}

export function entryIn(answer: unknown, name: string): ListEntry | undefined {
  const { data, models } = (answer ?? {}) as { readonly data?: unknown; readonly models?: unknown };
  const listed = (
    Array.isArray(data) ? data : Array.isArray(models) ? models : []
  ) as readonly (ListEntry | null)[];
  // Ollama's "llama3.2" is "llama3.2:latest" in its lists.
  const names = [name, `${name}:latest`];
  return (
    listed.find(
      (entry) => names.includes(entry?.['id'] as string) || names.includes(entry?.['name'] as string),
    ) ?? undefined
  );
}

export function windowOf(entry: ListEntry | undefined): number | undefined {
  const numbers = windowKeys.map((key) => entry?.[key]);
  return numbers.find((number) => typeof number === 'number' && number > 0) as number | undefined;
}
