/** "pegboard/channels": channels on a driver, and what shows questions, results and tools to people. */
export { createChannel, type ChannelOptions, type HostedChannel } from '../channels/create-channel.ts';
export {
  ChannelFailure,
  type FailureDetails,
  type FailureKind,
  type FailureScope,
  type Trouble,
} from '../channels/failure.ts';
export { perform, type PerformOptions } from '../channels/outgoing/perform.ts';
export {
  readAccount,
  type AccountAccess,
  type AccountOptions,
  type ChannelAccount,
} from '../channels/service/account.ts';
export { connectionFailure } from '../channels/service/connection-failure.ts';
export {
  createJsonApi,
  type ApiError,
  type ApiRequest,
  type JsonApi,
  type JsonApiOptions,
  type Method,
} from '../channels/service/json-api.ts';
export { openJsonSocket, type JsonSocket, type JsonSocketOptions } from '../channels/service/json-socket.ts';
export type { ChannelSettings } from '../channels/settings.ts';
export type { ChannelContext, EffectsOf, LiveTurn, SideEffects } from '../channels/turns/live-turns.ts';
export { openDeadline, type Deadline } from '../core/async/deadline.ts';
export { AnsweredElsewhere } from '../core/answered-elsewhere.ts';
export { choiceLabels, choicesSchema, isChoice } from '../core/choices.ts';
export { askElsewhere } from '../dispatch/ask-elsewhere.ts';
export { chatOfCall, conversationOfChat, terminalChat } from '../dispatch/chat-of-call.ts';
export { shownQuestion } from '../core/foreign/shown-question.ts';
export { shownLine } from '../core/foreign/shown-text.ts';
export { visibleText } from '../core/foreign/visible-text.ts';
export { isIntricateMarkdown } from '../core/foreign/intricate-markdown.ts';
export { readDownload } from '../core/http/read-download.ts';
export { splitMarkdown } from '../core/text/split-markdown.ts';
export { drawTable, type TableCells } from '../core/text/draw-table.ts';
export { readWholeTable } from '../core/text/whole-table.ts';
export { nearest } from '../core/documents/nearest.ts';
export { oneLine } from '../tools/injection/compact.ts';
export { shownArguments } from '../tools/shown-arguments.ts';
export { lookUp } from '../tools/look-up.ts';
export { visibleTools } from '../tools/visible-tools.ts';
