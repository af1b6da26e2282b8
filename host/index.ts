/** "pegboard": defining plugins and tools, results, errors, JSON with its numbers as written, and all contracts as types. */
export type * from './api/agent.ts';
export type * from './api/store/artifacts.ts';
export type * from './api/ask.ts';
export type * from './api/channels/chat-commands.ts';
export type * from './api/channels/driver.ts';
export type * from './api/channels/history.ts';
export type * from './api/channels/inbox.ts';
export type * from './api/channels/channel.ts';
export type * from './api/conversation.ts';
export type * from './api/diagnostic.ts';
export type * from './api/dispatch.ts';
export type * from './api/engine.ts';
export type * from './api/store/file-origins.ts';
export type * from './api/store/history.ts';
export type * from './api/hooks.ts';
export type * from './api/injection.ts';
export type * from './api/known-folders.ts';
export type * from './api/log.ts';
export type * from './api/model.ts';
export type * from './api/plugin.ts';
export type * from './api/provenance.ts';
export type { Choice, OpenQuestion } from './api/questions.ts';
export type * from './api/result.ts';
export type * from './api/sandbox.ts';
export { FileChanges } from './api/services/file-changes.ts';
export type * from './api/services/file-changes.ts';
export { HttpRoutes } from './api/services/http-routes.ts';
export type * from './api/services/http-routes.ts';
export { add, definePoint } from './api/services/point.ts';
export type * from './api/services/point.ts';
export { Scripts } from './api/services/scripts.ts';
export type * from './api/services/scripts.ts';
export { Search } from './api/services/search.ts';
export type * from './api/services/search.ts';
export { defineToken, provide } from './api/services/token.ts';
export type * from './api/services/token.ts';
export type * from './api/store/secrets.ts';
export type * from './api/source.ts';
export type * from './api/surroundings.ts';
export type * from './api/tool.ts';
export type * from './api/trace.ts';
export type * from './api/store/usage.ts';

export { identityFiles, maxIdentityLength } from './api/agent.ts';
export { definePlugin, defineTool } from './plugins/define.ts';
export { PegboardError, type ErrorCode } from './core/errors.ts';
export { dialectOf, durably, type SqlDialect } from './store/database/dialect.ts';
export { asSentence } from './core/text/as-sentence.ts';
export { pegboard } from './core/own-command.ts';
export { failedResult, textOf, textResult } from './tools/result.ts';
export type { StructuredOutput, StructureOf } from './tools/structure.ts';
export { markUntrusted, untrustedOrigin } from './core/foreign/untrusted.ts';
export {
  isExact,
  memberJson,
  mergeWritten,
  parseJson,
  parseMember,
  toJson,
  writtenText,
} from './core/documents/written-numbers.ts';
