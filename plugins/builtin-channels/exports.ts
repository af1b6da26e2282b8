/** "pegboard/channels": channels on a driver, and what shows questions, results and tools to people. */
export { commandList } from './commands/chat-commands.ts';
export { createChannel, type ChannelOptions, type HostedChannel } from './create-channel.ts';
export {
  ChannelFailure,
  type FailureDetails,
  type FailureKind,
  type FailureScope,
  type Trouble,
} from './failure.ts';
export { perform, type PerformOptions } from './outgoing/perform.ts';
export {
  readAccount,
  type AccountAccess,
  type AccountOptions,
  type ChannelAccount,
} from './service/account.ts';
export { connectionFailure } from './service/connection-failure.ts';
export {
  createJsonApi,
  type ApiError,
  type ApiRequest,
  type JsonApi,
  type JsonApiOptions,
  type Method,
} from './service/json-api.ts';
export { openJsonSocket, type JsonSocket, type JsonSocketOptions } from './service/json-socket.ts';
export type { ChannelSettings } from './settings.ts';
export type { ChannelContext, EffectsOf, LiveTurn, SideEffects } from './turns/live-turns.ts';
export {
  openDeadline,
  type Deadline,
  AnsweredElsewhere,
  choiceLabels,
  choicesSchema,
  isChoice,
  askElsewhere,
  chatOfCall,
  conversationOfChat,
  terminalChat,
  shownQuestion,
  shownLine,
  visibleText,
  isIntricateMarkdown,
  readDownload,
  splitMarkdown,
  drawTable,
  type TableCells,
  readWholeTable,
  nearest,
  oneLine,
  shownArguments,
  lookUp,
  visibleTools,
} from 'pegboard/kit';
