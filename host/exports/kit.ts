/** "pegboard/kit": what the plugins that ship with Pegboard share with its kernel. It may change with any version. */
export type { VectorCache } from '../api/store/vectors.ts';
export { systemClock } from '../core/async/clock.ts';
export { withinLimit } from '../core/async/deadline.ts';
export { cosine } from '../core/cosine.ts';
export { parsedJson } from '../core/documents/written-numbers.ts';
export {
  Embeddings,
  type EmbeddingsEndpoint,
  type EmbeddingsPayment,
  type PayForEmbeddings,
  Queues,
} from '../api/services/kernel-tokens.ts';
export { messageOf } from '../core/errors.ts';
export { followTrace } from '../core/follow-trace.ts';
export { postRetrying, type PostLimits } from '../core/http/post-retrying.ts';
export { editDistance } from '../core/text/edit-distance.ts';
export { callTraces, modelTraces, turnTraces } from '../core/traces.ts';
export { version } from '../version.ts';
export { maxNearest } from '../tools/shown-results.ts';
