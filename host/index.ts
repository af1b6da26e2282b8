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
export type * from './api/plugin.ts';
export type * from './api/result.ts';
export type * from './api/secrets.ts';
export type * from './api/source.ts';
export type * from './api/tool.ts';
export type * from './api/usage.ts';

export { PegboardError, type ErrorCode } from './core/errors.ts';
export { childEnvironment } from './core/environment.ts';
export { runProcess, type ProcessOptions, type ProcessResult } from './core/process.ts';
export type { CallTrace } from './dispatch/trace.ts';
export { createHost, type Host, type HostOptions } from './host.ts';
export { definePlugin, defineTool } from './plugins/define.ts';
export { isAbandoned, thisProcess } from './store/owner.ts';
export { failedResult, textOf, textResult } from './tools/result.ts';
