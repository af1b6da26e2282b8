/** "pegboard/kit": what the plugins that ship with Pegboard share with its kernel. It may change with any version. */
export type { Decision } from '../api/questions.ts';
export {
  Embeddings,
  type EmbeddingsEndpoint,
  type EmbeddingsPayment,
  ManifestReader,
  type PayForEmbeddings,
  Queues,
  WritableFolders,
} from '../api/services/kernel-tokens.ts';
export type { VectorCache } from '../api/store/vectors.ts';
export { AnsweredElsewhere } from '../core/answered-elsewhere.ts';
export { systemClock } from '../core/async/clock.ts';
export { type ConcurrencyLimit, createConcurrencyLimit } from '../core/async/concurrency-limit.ts';
export {
  type Deadline,
  isTimeout,
  openDeadline,
  untilAborted,
  whenAborted,
  withinLimit,
} from '../core/async/deadline.ts';
export { createKeyedQueue } from '../core/async/keyed-queue.ts';
export { once } from '../core/async/once.ts';
export { oneAtATime } from '../core/async/one-at-a-time.ts';
export { startInterval } from '../core/async/timer.ts';
export { choiceLabels, choicesSchema, isChoice } from '../core/choices.ts';
export { cosine } from '../core/cosine.ts';
export { docsPage } from '../core/docs-page.ts';
export { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
export { readDocument } from '../core/documents/document.ts';
export { pegboardSchema } from '../core/documents/file-schemas.ts';
export { referencesIn } from '../core/documents/interpolate.ts';
export { memberAt } from '../core/documents/member-at.ts';
export { listOf, type Members, membersOf, trimmedText, wordIn, wordOf } from '../core/documents/members.ts';
export { nearest } from '../core/documents/nearest.ts';
export { pointerTo, stepsOf } from '../core/documents/pointer.ts';
export { copyJson, validatorOf } from '../core/documents/schema.ts';
export {
  hasRoundedNumber,
  keepWritten,
  parsedJson,
  toJsonLine,
  withExactNumbers,
  withWritten,
  writtenNumber,
} from '../core/documents/written-numbers.ts';
export { messageOf, toFailure } from '../core/errors.ts';
export { configFiles } from '../core/files/config-files.ts';
export { isDraft, removeAbandonedDrafts } from '../core/files/draft.ts';
export { readJsonFile, writeJsonFile, writePrivateFile } from '../core/files/json-file.ts';
export { linkOutOf } from '../core/files/links.ts';
export { checkName } from '../core/files/new-file.ts';
export { isWithin, packageRoot } from '../core/files/paths.ts';
export { makePrivateFolder } from '../core/files/private-data.ts';
export { maxFileBytes as maxTextFileBytes, readDecodedFile, readTextFile } from '../core/files/text-file.ts';
export { createFile, writeFileAtomically } from '../core/files/write-file-atomically.ts';
export { followTrace } from '../core/follow-trace.ts';
export { originalBlock } from '../core/foreign/foreign-blocks.ts';
export { findInjectionPatterns } from '../core/foreign/injection-patterns.ts';
export { isIntricateMarkdown } from '../core/foreign/intricate-markdown.ts';
export { margin, questionText, shownQuestion } from '../core/foreign/shown-question.ts';
export { shownSchema } from '../core/foreign/shown-schema.ts';
export { shownLine, shownText } from '../core/foreign/shown-text.ts';
export { distinct, originsOf } from '../core/foreign/untrusted.ts';
export { visibleText } from '../core/foreign/visible-text.ts';
export { isHeaderName, isReservedHeader } from '../core/http/headers.ts';
export { type PostLimits, postRetrying } from '../core/http/post-retrying.ts';
export { readAtMost } from '../core/http/read-at-most.ts';
export { readAtMost as readAnswerAtMost, readDownload } from '../core/http/read-download.ts';
export { logFileOf } from '../core/log.ts';
export { isLoopback, isPrivateUrl } from '../core/loopback.ts';
export { outermostCall } from '../core/outermost-call.ts';
export { pegboardAnywhere, publicPegboard } from '../core/own-command.ts';
export { readsHiddenFolders } from '../core/platform/browser.ts';
export { namesInFolder, shownPath, systemPath, textOfName } from '../core/platform/byte-names.ts';
export { hasModes } from '../core/platform/file-access.ts';
export { lastingNode, shellFolders } from '../core/platform/programs.ts';
export { processSurroundings } from '../core/platform/surroundings.ts';
export { thisPlatform } from '../core/platform/this-platform.ts';
export { isAbandoned } from '../core/processes/owner.ts';
export { kindOf } from '../core/question-kind.ts';
export { sandboxProblem } from '../core/sandbox/availability.ts';
export { isPlaceholder } from '../core/sandbox/placeholders.ts';
export { credentialsIn } from '../core/secrets/credentials.ts';
export {
  isOpenName,
  isPasswordPair,
  isSecretName,
  isSecretPairName,
  isSecretParameter,
} from '../core/secrets/secret-names.ts';
export { isWordLike } from '../core/secrets/word-like.ts';
export { fileErrorInWords } from '../core/system-error.ts';
export { withoutByteOrderMark } from '../core/text/byte-order-mark.ts';
export { drawTable, type TableCells } from '../core/text/draw-table.ts';
export { editDistance } from '../core/text/edit-distance.ts';
export { followLines } from '../core/text/follow-lines.ts';
export { matchesGlob } from '../core/text/glob.ts';
export { endOf, lastLines } from '../core/text/last-lines.ts';
export { lexMarkdown } from '../core/text/lex-markdown.ts';
export { plural } from '../core/text/plural.ts';
export { reactionStart } from '../core/text/reaction-start.ts';
export { quoteWord, splitWords } from '../core/text/shell-words.ts';
export { shortTime } from '../core/text/short-time.ts';
export { shorten } from '../core/text/shorten.ts';
export { splitMarkdown } from '../core/text/split-markdown.ts';
export { readWholeTable } from '../core/text/whole-table.ts';
export { withCommas } from '../core/text/with-commas.ts';
export { callTraces, modelTraces, turnTraces } from '../core/traces.ts';
export { askElsewhere, askWhereSeen } from '../dispatch/ask-elsewhere.ts';
export { chatOfCall, conversationOfChat, terminalChat } from '../dispatch/chat-of-call.ts';
export { toInnerRequest } from '../dispatch/inner-call.ts';
export type { WrittenRequest } from '../formats/http-request.ts';
export type { ManifestParameter, WrittenManifest } from '../formats/tool.ts';
export { variableOf } from '../home-environment.ts';
export { noTimeoutSeconds } from '../meta/no-timeout.ts';
export type { DescribedSecret } from '../secrets/described-secret.ts';
export type { AddedServer } from '../servers/add-servers.ts';
export { type Importable, isPegboard } from '../servers/importable.ts';
export { isSecretOption, mayBeSecret } from '../servers/may-be-secret.ts';
export { isScriptPath } from '../sources/manifests/parse-script.ts';
export {
  type ClientFile,
  clientFiles,
  clientPlaces,
  type ClientPlaces,
} from '../sources/mcp/import/client-files.ts';
export { flatEntry } from '../sources/mcp/import/client-shapes.ts';
export { parseSettings } from '../sources/mcp/import/read-settings.ts';
export { repeatedMembers } from '../sources/mcp/import/repeated-members.ts';
export type { DescribedAgent } from '../status/described-agent.ts';
export { diagnosticToJson, shortPath } from '../status/diagnostic-json.ts';
export { findAbandoned } from '../store/database/abandoned.ts';
export { backUpHome } from '../store/database/backup.ts';
export type { AskState, ChannelTables } from '../store/database/channel-tables.ts';
export type { Database } from '../store/database/database.ts';
export type { Tables } from '../store/database/schema.ts';
export { contentOfFile, labelOf, note, type ReceivedContent } from '../store/files/file-content.ts';
export { withFileLock } from '../store/files/file-lock.ts';
export { lockHome, otherHolder } from '../store/files/home-lock.ts';
export { keepFile } from '../store/files/keep-file.ts';
export type { TurnCalls } from '../store/usage/usage-turns.ts';
export { admitsModule, isVisible } from '../tools/access.ts';
export { canonicalJson } from '../tools/fingerprint.ts';
export { oneLine } from '../tools/injection/compact.ts';
export { lookUp } from '../tools/look-up.ts';
export { isMeta, metaSource, textIsComplete } from '../tools/meta.ts';
export { type Risk, riskOf } from '../tools/risk.ts';
export { mayHoldSecrets, shownArguments } from '../tools/shown-arguments.ts';
export { maxNearest } from '../tools/shown-results.ts';
export { visibleTools } from '../tools/visible-tools.ts';
export { version } from '../version.ts';
export {
  addServers,
  findImportable,
  lint,
  lintText,
  loadConfigWithoutSecrets,
  storeSecret,
  writeConfigValue,
  writeServer,
} from './when-called.ts';
