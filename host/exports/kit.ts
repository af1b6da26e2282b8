/** "pegboard/kit": what the plugins that ship with Pegboard share with its kernel. It may change with any version. */
export {
  Embeddings,
  ManifestReader,
  type EmbeddingsEndpoint,
  type EmbeddingsPayment,
  type PayForEmbeddings,
  Queues,
} from '../api/services/kernel-tokens.ts';
export type { VectorCache } from '../api/store/vectors.ts';
export { systemClock } from '../core/async/clock.ts';
export { createConcurrencyLimit, type ConcurrencyLimit } from '../core/async/concurrency-limit.ts';
export { withinLimit, isTimeout } from '../core/async/deadline.ts';
export { createKeyedQueue } from '../core/async/keyed-queue.ts';
export { once } from '../core/async/once.ts';
export { oneAtATime } from '../core/async/one-at-a-time.ts';
export { cosine } from '../core/cosine.ts';
export { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
export { parsedJson, withExactNumbers } from '../core/documents/written-numbers.ts';
export { messageOf, toFailure } from '../core/errors.ts';
export { packageRoot } from '../core/files/paths.ts';
export { readTextFile } from '../core/files/text-file.ts';
export { followTrace } from '../core/follow-trace.ts';
export { distinct, originsOf } from '../core/foreign/untrusted.ts';
export { postRetrying, type PostLimits } from '../core/http/post-retrying.ts';
export { editDistance } from '../core/text/edit-distance.ts';
export { plural } from '../core/text/plural.ts';
export { withCommas } from '../core/text/with-commas.ts';
export { callTraces, modelTraces, turnTraces } from '../core/traces.ts';
export { toInnerRequest } from '../dispatch/inner-call.ts';
export { noTimeoutSeconds } from '../meta/no-timeout.ts';
export { isScriptPath } from '../sources/manifests/parse-script.ts';
export { isVisible } from '../tools/access.ts';
export { isMeta, metaSource } from '../tools/meta.ts';
export { riskOf } from '../tools/risk.ts';
export { mayHoldSecrets } from '../tools/shown-arguments.ts';
export { maxNearest } from '../tools/shown-results.ts';
export { version } from '../version.ts';
