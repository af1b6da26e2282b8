/** "pegboard/serving": what the servers of the plugins that ship with Pegboard share with its kernel. It may change with any version. */
export {
  type ClientSession,
  type McpClient,
  type Peer,
  type PeerLogLevel,
  peerLogLevels,
  type PeerMethod,
} from '../api/mcp/peer.ts';
export type { ClientTasks, TaskRecord } from '../api/mcp/tasks.ts';
export type {
  Upstream,
  UpstreamCallOptions,
  UpstreamPrompt,
  UpstreamResource,
  UpstreamResourceTemplate,
} from '../api/mcp/upstream.ts';
export { HttpPage, HttpServing, type RunningServer, type ServedPage } from '../cli/serving/tokens.ts';
export { withSharedServing } from '../compose/home-serving.ts';
export { brokenConfig } from '../config.ts';
export { createJsonSequence } from '../core/documents/json/json-sequence.ts';
export { jsonOf } from '../core/documents/json/write-in-slices.ts';
export { dropReservedFromRequests } from '../core/foreign/reserved-meta.ts';
export { listenOn } from '../core/http/listen-on.ts';
export { type Body, maxUnauthenticatedBytes, readBody, readBytes } from '../core/http/read-body.ts';
export {
  contentRefusal,
  countOf,
  type Head,
  healthPath,
  type Refusal,
  refusalOf,
  type RequestRules,
} from '../core/http/request-guard.ts';
export { sendJson, sendText } from '../core/http/send-json.ts';
export { limitUnauthenticated, type UnauthenticatedLimit } from '../core/http/unauthenticated-limit.ts';
export { createLineReader } from '../core/text/line-reader.ts';
export { growYoungGenerationWhenBusy } from '../core/young-generation.ts';
export { type ClientLogins, clientLoginsFile, openClientLogins } from '../store/owner/client-logins.ts';
export { digestOf, openTickets, proofCode, randomCode, webFolderOf } from '../store/owner/tickets.ts';
export { userStateOf } from '../store/owner/user-state.ts';
export type { EndedSessions } from '../store/serving/ended-sessions.ts';
export type { Letter, Mail, MailOptions } from '../store/serving/mail.ts';
export type { SharedLogins } from '../store/serving/shared-logins.ts';
export type { SharedServing } from '../store/serving/shared-serving.ts';
export type { SharedTexts } from '../store/serving/shared-texts.ts';
export { withoutAliases } from '../tools/aliases.ts';
export { budgetFor, chooseMode } from '../tools/injection/budget.ts';
export { compactSchema } from '../tools/injection/compact-schema.ts';
export { openSchema } from '../tools/injection/compact.ts';
export { serverInstructions } from '../tools/injection/server-instructions.ts';
export { tokensOf, toWire } from '../tools/injection/wire.ts';
export { fullPreset, isListed, type ToolPreset } from '../tools/preset.ts';
export type { VisibleTools } from '../tools/visible-tools.ts';
