/** The public API: what plugins and embedding programs import as "pegboard". */
export type * from './api/agent.ts';
export type * from './api/artifacts.ts';
export type * from './api/ask.ts';
export type * from './api/channel.ts';
export type * from './api/check.ts';
export type * from './api/conversation.ts';
export type * from './api/diagnostic.ts';
export type * from './api/dispatch.ts';
export type * from './api/history.ts';
export type * from './api/hooks.ts';
export type * from './api/injection.ts';
export type * from './api/log.ts';
export type * from './api/model.ts';
export type * from './api/known-folders.ts';
export type * from './api/plugin.ts';
export type * from './api/provenance.ts';
export type { Choice, OpenQuestion } from './api/questions.ts';
export type * from './api/result.ts';
export type * from './api/sandbox.ts';
export type * from './api/secrets.ts';
export type * from './api/source.ts';
export type * from './api/tool.ts';
export type * from './api/trace.ts';
export type * from './api/usage.ts';

export { AnsweredElsewhere } from './core/answered-elsewhere.ts';
export { choiceLabels, choicesSchema, isChoice } from './core/choices.ts';
export { PegboardError, type ErrorCode } from './core/errors.ts';
export { childEnvironment } from './core/processes/environment.ts';
export {
  isExact,
  memberJson,
  mergeWritten,
  parseJson,
  parseMember,
  toJson,
  writtenText,
} from './core/documents/written-numbers.ts';
export { nearest } from './core/documents/nearest.ts';
export { readPdf, type PdfOptions, type PdfText } from './core/pdf/pdf.ts';
export { runProcess, type ProcessOptions, type ProcessResult } from './core/processes/process.ts';
export { requireSandbox } from './core/sandbox/availability.ts';
export { describeSandbox } from './core/sandbox/rule.ts';
export type { Confinement } from './core/sandbox/boundary.ts';
export {
  actsForModel,
  classify,
  deniedPlaces,
  judgeWrite,
  type WriteClass,
  type WriteJudgement,
} from './core/files/write-boundary.ts';
export { isGuardedName } from './core/files/guarded-names.ts';
export { holdFolder, type HeldFolder } from './core/files/held-folder.ts';
export { realPathOf } from './core/files/paths.ts';
export { userStateFolder } from './core/files/state-folder.ts';
export { runThread, type ThreadOptions } from './core/async/thread.ts';
export { isIntricateMarkdown } from './core/foreign/intricate-markdown.ts';
export { readWholeTable } from './core/text/whole-table.ts';
export type { FileOrigins } from './api/file-origins.ts';
export { shownQuestion } from './core/foreign/shown-question.ts';
export { shownLine, shownText } from './core/foreign/shown-text.ts';
export { visibleText } from './core/foreign/visible-text.ts';
export { markUntrusted, originsOf, untrustedOrigin } from './core/foreign/untrusted.ts';
export { askElsewhere } from './dispatch/ask-elsewhere.ts';
export { chatOfCall, conversationOfChat, terminalChat } from './dispatch/chat-of-call.ts';
export { createHost } from './create-host.ts';
export type { Host, HostOptions } from './host.ts';
export { definePlugin, defineTool } from './plugins/define.ts';
export { diffOf } from './core/text/diff.ts';
export { draftName } from './core/files/draft.ts';
export { isRunning } from './core/processes/process-identity.ts';
export { isAbandoned, thisProcess } from './core/processes/owner.ts';
export { oneLine } from './tools/injection/compact.ts';
export { visibleTools } from './tools/domain.ts';
export { failedResult, textOf, textResult } from './tools/result.ts';
export { shownArguments } from './tools/shown-arguments.ts';
