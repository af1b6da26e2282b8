import type { PayForEmbeddings } from '../search/vectors/openai-embedder.ts';
import type { Usage } from '../store/usage/usage.ts';

/** The name of embeddings in `pegboard usage`: they belong to no agent. */
const payer = 'embeddings';

/** Records each request, and refuses requests over the home's budget. `cap`: US dollars per day. */
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
