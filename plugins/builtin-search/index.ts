import { definePlugin, provide, Search } from 'pegboard';
import { Embeddings } from 'pegboard/kit';
import { createSearch } from './search.ts';

export default definePlugin({
  setup(context) {
    const { registry, log, surroundings } = context;
    const embeddings = context.use(Embeddings);
    const search = context.own(
      createSearch(() => registry.snapshot, {
        pay: (model, signal) => embeddings(({ pay }) => pay(model, signal)),
        cache: {
          getMany: (model, hashes) => embeddings(({ cache }) => cache.getMany(model, hashes)),
          putMany: (model, vectors) => embeddings(({ cache }) => cache.putMany(model, vectors)),
        },
        log,
        clock: surroundings.clock,
      }),
    );
    /** With the embeddings that are configured now. */
    const current = async (): Promise<typeof search> => {
      search.useEmbeddings(await embeddings(({ endpoint }) => endpoint()));
      return search;
    };
    return {
      provides: [
        provide(Search, {
          tools: async (...asked) => await (await current()).tools(...asked),
          vectors: {
            of: async (...texts) => await (await current()).vectors.of(...texts),
            cached: async (...texts) => await (await current()).vectors.cached(...texts),
          },
          async packVectors(snapshot) {
            const { packVectors } = await import('./vectors/pack-vectors.ts');
            return await packVectors(snapshot, (await current()).vectors);
          },
          prepared: async () => await (await current()).prepared(),
          indexed: async () => await (await current()).indexed(),
        }),
      ],
    };
  },
});
