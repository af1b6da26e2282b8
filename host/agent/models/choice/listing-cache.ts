import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../api/log.ts';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';
import { isListedPrice, type ListedPrice } from '../prices/listed-price.ts';

/** What a server's list says about a model. */
export interface Listing {
  /** Tokens; absent: the server didn't say. */
  readonly contextWindow?: number;
  /** Absent: the server didn't say. */
  readonly price?: ListedPrice;
}

interface CachedListing extends Listing {
  /** Expiry, in milliseconds since 1970. */
  readonly until: number;
}

/** Caches what servers list on disk, so that not every process of a home has to ask. */
export interface ListingCache {
  /** Undefined when unknown or expired. */
  get(baseUrl: string, name: string): Listing | undefined;
  /** A failure to write is logged. */
  set(baseUrl: string, name: string, listing: CachedListing): Promise<void>;
}

const keyOf = (baseUrl: string, name: string): string => `${baseUrl} ${name}`;

/** Stored in `data/model-listings.json`. Doesn't create a missing home. */
export function createListingCache(home: string, log: Logger): ListingCache {
  const file = join(home, 'data/model-listings.json');
  return {
    get: (baseUrl, name) => read(file).get(keyOf(baseUrl, name)),
    async set(baseUrl, name, listing) {
      if (!existsSync(home)) return;
      const all = read(file).set(keyOf(baseUrl, name), listing);
      await writeJsonFile(file, Object.fromEntries(all)).catch((cause: unknown) =>
        log.warn(`what the server lists about ${name} could not be cached`, { cause }),
      );
    },
  };
}

/** The entries that have not expired. */
function read(file: string): Map<string, CachedListing> {
  const now = Date.now();
  const entries = Object.entries(readJsonFile(file) ?? {}) as [string, unknown][];
  return new Map(entries.filter((entry): entry is [string, CachedListing] => isCurrent(entry[1], now)));
}

function isCurrent(entry: unknown, now: number): boolean {
  const { contextWindow, price, until } = (entry ?? {}) as Record<keyof CachedListing, unknown>;
  const sound = contextWindow === undefined || (typeof contextWindow === 'number' && contextWindow > 0);
  const isPriced = price === undefined || isListedPrice(price);
  return sound && isPriced && typeof until === 'number' && until > now;
}
