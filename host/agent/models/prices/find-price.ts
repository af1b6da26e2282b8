import type { ModelUsage } from '../../../api/model.ts';
import { presetOf } from '../choice/presets.ts';
import type { Provider } from '../choice/provider.ts';
import type { ListedPrice } from './listed-price.ts';
import { prices, type Price } from './price-table.ts';

/** A date or revision at the end of a name: "-2026-03-05", "-20251101", "-0709", "-001", "-latest". */
const revision = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest)$/;

/** Undefined for an unknown model, and for a server at another address than the provider's own. */
export function findPrice(
  { id, baseUrl }: Pick<Provider, 'id' | 'baseUrl'>,
  name: string,
): Price | undefined {
  const table = Object.hasOwn(prices, id) ? prices[id]! : {};
  if (withoutSlash(baseUrl) !== withoutSlash(presetOf(id)?.baseUrl ?? '')) return undefined;
  const plain = name.replace(/^models\//, '').toLowerCase();
  const base = plain.replace(revision, '');
  const known = [plain, base, `${base}-latest`].find((one) => Object.hasOwn(table, one));
  return known === undefined ? undefined : table[known];
}

/** US dollars. */
export const costOf = (price: ListedPrice, { input, output, cached = 0 }: ModelUsage): number =>
  ((input - cached) * price.input + cached * price.cached + output * price.output) / 1_000_000;

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
