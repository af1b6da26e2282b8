/** The public API: what plugins and embedding programs import as "pegboard". */
export type * from './api/artifacts.ts';
export type * from './api/ask.ts';
export type * from './api/diagnostic.ts';
export type * from './api/dispatch.ts';
export type * from './api/hooks.ts';
export type * from './api/log.ts';
export type * from './api/plugin.ts';
export type * from './api/result.ts';
export type * from './api/source.ts';
export type * from './api/tool.ts';

export { PegboardError, type ErrorCode } from './core/errors.ts';
export { childEnvironment } from './core/environment.ts';
export { runProcess, type ProcessOptions, type ProcessResult } from './core/process.ts';
export { createHost, type Host, type HostOptions } from './host.ts';
export { definePlugin, defineTool } from './plugins/define.ts';
export { failedResult, textOf, textResult } from './tools/result.ts';
