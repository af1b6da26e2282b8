import type { Provider } from '../choice/provider.ts';
import { listingOf } from '../choice/listed-model.ts';
import type { ListingCache } from '../choice/listing-cache.ts';
import { findPrice } from './find-price.ts';
import type { ListedPrice } from './listed-price.ts';

/** The published price, else that of the provider's own list if it may be asked. A model on this machine costs nothing. */
export async function priceOf(
  provider: Provider,
  name: string,
  listings: ListingCache,
  isAsked: boolean,
): Promise<ListedPrice | undefined> {
  const known = findPrice(provider, name);
  if (known || provider.local || !isAsked) return known;
  return (await listingOf(provider, name, listings)).price;
}
