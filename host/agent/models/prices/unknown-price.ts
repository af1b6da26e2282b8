import { PegboardError } from '../../../core/errors.ts';
import type { WrittenSpend } from '../../../formats/models.ts';
import type { Provider } from '../choice/provider.ts';
import { costOf } from './find-price.ts';
import type { ListedPrice } from './listed-price.ts';
import { wrapModel } from '../wrap-model.ts';
import type { Model } from '../../../api/model.ts';

/** Models that have answered, and nobody knows what that cost. */
export interface Unpriced {
  readonly note: (model: string) => void;
  /** True once for a model, to say so. */
  readonly take: (model: string) => boolean;
}

export function createUnpriced(): Unpriced {
  const said = new Map<string, boolean>();
  return {
    note(model) {
      if (!said.has(model)) said.set(model, false);
    },
    take(model) {
      const isNews = said.get(model) === false;
      if (isNews) said.set(model, true);
      return isNews;
    },
  };
}

export interface PricedOptions {
  readonly provider: Pick<Provider, 'local'>;
  readonly priceOf: () => Promise<ListedPrice | undefined>;
  /** `spend` of pegboard.yaml, as it is now. */
  readonly spend: () => WrittenSpend | undefined;
  readonly unpriced: Pick<Unpriced, 'note'>;
}

/**
 * Adds the cost to the usage where the provider doesn't state it. Where nobody knows the price, `spend.unknown` decides:
 * the model isn't asked (PEG_MODEL_REFUSED), or its tokens count at the stated price.
 */
export function withPrice(model: Model, { provider, priceOf, spend, unpriced }: PricedOptions): Model {
  return wrapModel(model, async (request, onEvent) => {
    const { unknown, price: stated } = spend() ?? {};
    if (unknown === 'refuse' && !provider.local && !(await priceOf()))
      throw new PegboardError(
        'PEG_MODEL_REFUSED',
        `${model.id} was not asked: nobody knows its price, and pegboard.yaml says spend.unknown: refuse. With "count" and a price its tokens count.`,
        { data: { model: model.id } },
      );
    const reply = await model.respond(request, onEvent);
    if (reply.usage.cost !== undefined) return reply;
    const counted = unknown === 'count' && !provider.local && stated;
    const price = (await priceOf()) ?? (counted ? { ...stated, cached: stated.input } : undefined);
    if (price) return { ...reply, usage: { ...reply.usage, cost: costOf(price, reply.usage) } };
    if (!provider.local) unpriced.note(reply.model);
    return reply;
  });
}

/** What is said where a daily cap applies to such a model. */
export const capIsNone = (models: readonly string[]): string =>
  `The price of ${models.join(' and ')} is unknown, so the daily spending cap doesn't hold for ${models.length === 1 ? 'it' : 'them'}. In pegboard.yaml, spend.unknown: refuse keeps such models from being asked, and spend.unknown: count counts their tokens at a price that you state.`;
