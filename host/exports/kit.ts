/** "pegboard/kit": what the plugins that ship with Pegboard share with its kernel. It may change with any version. */
export {
  Embeddings,
  ManifestReader,
  type EmbeddingsEndpoint,
  type EmbeddingsPayment,
  type PayForEmbeddings,
  Queues,
  WritableFolders,
} from '../api/services/kernel-tokens.ts';
export type { VectorCache } from '../api/store/vectors.ts';
export { hasCredential } from '../cli/import/suspicious.ts';
export { systemClock } from '../core/async/clock.ts';
export { createConcurrencyLimit, type ConcurrencyLimit } from '../core/async/concurrency-limit.ts';
export { withinLimit, isTimeout } from '../core/async/deadline.ts';
export { createKeyedQueue } from '../core/async/keyed-queue.ts';
export { once } from '../core/async/once.ts';
export { oneAtATime } from '../core/async/one-at-a-time.ts';
export { cosine } from '../core/cosine.ts';
export { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
export { referencesIn } from '../core/documents/interpolate.ts';
export { membersOf, trimmedText, type Members, listOf, wordIn, wordOf } from '../core/documents/members.ts';
export { stepsOf, pointerTo } from '../core/documents/pointer.ts';
export {
  parsedJson,
  withExactNumbers,
  keepWritten,
  writtenNumber,
  hasRoundedNumber,
} from '../core/documents/written-numbers.ts';
export { messageOf, toFailure } from '../core/errors.ts';
export { isDraft, removeAbandonedDrafts } from '../core/files/draft.ts';
export { linkOutOf } from '../core/files/links.ts';
export { checkName } from '../core/files/new-file.ts';
export { packageRoot, isWithin } from '../core/files/paths.ts';
export { makePrivateFolder } from '../core/files/private-data.ts';
export { readTextFile, readDecodedFile } from '../core/files/text-file.ts';
export { createFile, writeFileAtomically } from '../core/files/write-file-atomically.ts';
export { followTrace } from '../core/follow-trace.ts';
export { findInjectionPatterns } from '../core/foreign/injection-patterns.ts';
export { distinct, originsOf } from '../core/foreign/untrusted.ts';
export { isHeaderName, isReservedHeader } from '../core/http/headers.ts';
export { postRetrying, type PostLimits } from '../core/http/post-retrying.ts';
export { readAtMost } from '../core/http/read-at-most.ts';
export { isLoopback } from '../core/loopback.ts';
export { outermostCall } from '../core/outermost-call.ts';
export { shownPath, systemPath, textOfName, namesInFolder } from '../core/platform/byte-names.ts';
export { hasModes } from '../core/platform/file-access.ts';
export { isAbandoned } from '../core/processes/owner.ts';
export { isPlaceholder } from '../core/sandbox/placeholders.ts';
export { credentialsIn } from '../core/secrets/credentials.ts';
export {
  isPasswordPair,
  isSecretName,
  isOpenName,
  isSecretPairName,
  isSecretParameter,
} from '../core/secrets/secret-names.ts';
export { isWordLike } from '../core/secrets/word-like.ts';
export { fileErrorInWords } from '../core/system-error.ts';
export { withoutByteOrderMark } from '../core/text/byte-order-mark.ts';
export { editDistance } from '../core/text/edit-distance.ts';
export { matchesGlob } from '../core/text/glob.ts';
export { plural } from '../core/text/plural.ts';
export { quoteWord } from '../core/text/shell-words.ts';
export { shortTime } from '../core/text/short-time.ts';
export { shorten } from '../core/text/shorten.ts';
export { withCommas } from '../core/text/with-commas.ts';
export { callTraces, modelTraces, turnTraces } from '../core/traces.ts';
export { toInnerRequest } from '../dispatch/inner-call.ts';
export type { WrittenRequest } from '../formats/http-request.ts';
export type { WrittenManifest, ManifestParameter } from '../formats/tool.ts';
export { variableOf } from '../home-environment.ts';
export { noTimeoutSeconds } from '../meta/no-timeout.ts';
export { storeSecret } from '../secrets/change-secrets.ts';
export { lintText } from '../sources/manifests/check/lint-text.ts';
export { lint } from '../sources/manifests/check/lint.ts';
export { isScriptPath } from '../sources/manifests/parse-script.ts';
export { diagnosticToJson, shortPath } from '../status/diagnostic-json.ts';
export { withFileLock } from '../store/files/file-lock.ts';
export { isVisible } from '../tools/access.ts';
export { isMeta, metaSource } from '../tools/meta.ts';
export { riskOf } from '../tools/risk.ts';
export { mayHoldSecrets } from '../tools/shown-arguments.ts';
export { maxNearest } from '../tools/shown-results.ts';
export { version } from '../version.ts';
