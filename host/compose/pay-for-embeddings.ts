import type { PayForEmbeddings } from '../search/vectors/openai-embedder.ts';
import type { Usage } from '../store/usage/usage.ts';

/** What embeddings count as in `pegboard usage`: no agent asks for them. */
const payer = 'embeddings';

/** Each request counts, and stops with the home's money. `cap`: US dollars a day. */
export const payForEmbeddings =
  (usage: () => Usage, cap: () => number | undefined): PayForEmbeddings =>
  async (model, signal) => {
    const home = cap();
    const caps = home === undefined ? {} : { home };
    const money = await usage().reserve({ agent: payer, model, caps, signal });
    return {
      settle: (used) => money.settle({ agent: payer, model, source: payer, usage: used }),
      [Symbol.asyncDispose]: () => money[Symbol.asyncDispose](),
    };
  };
