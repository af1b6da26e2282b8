import type { Model } from '../../api/model.ts';
import { messageOf } from '../../core/errors.ts';
import { fullName, type ChosenModel } from './choice/choose.ts';
import type { ListingCache } from './choice/listing-cache.ts';
import { priceOf } from './prices/price-of.ts';

export interface DescribedModel {
  /** "openai/gpt-5" */
  readonly name: string;
  /** Tokens. */
  readonly contextWindow?: number;
  /** US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
  /** It runs on this machine. */
  readonly isFree?: true;
  /** Why it can't be used. */
  readonly problem?: string;
}

interface DescribeOptions {
  readonly open: (choice: ChosenModel, isFirst: boolean) => Promise<Model>;
  /** Whether its server speaks a protocol of the host's, and so may be asked for a price. */
  readonly isAsked: (choice: ChosenModel) => boolean;
  readonly listings: ListingCache;
  readonly redact: (text: string) => string;
}

/** In their order; one that can't be opened says why. Never rejects. */
export function describeModels(
  choices: readonly ChosenModel[],
  { open, isAsked, listings, redact }: DescribeOptions,
): Promise<readonly DescribedModel[]> {
  return Promise.all(
    choices.map(async (choice, index): Promise<DescribedModel> => {
      try {
        const model = await open(choice, index === 0);
        const name = model.id.slice(choice.provider.id.length + 1);
        const price = await priceOf(choice.provider, name, listings, isAsked(choice)).catch(() => undefined);
        return {
          name: model.id,
          contextWindow: model.contextWindow,
          ...(choice.provider.local && { isFree: true as const }),
          ...(price && { price: { input: price.input, output: price.output } }),
        };
      } catch (cause) {
        return { name: fullName(choice), problem: redact(messageOf(cause)) };
      }
    }),
  );
}
