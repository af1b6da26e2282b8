/** "pegboard/kit": what the plugins that ship with Pegboard share with its kernel. It may change with any version. */
export { messageOf } from '../core/errors.ts';
export { followTrace } from '../core/follow-trace.ts';
export { callTraces, modelTraces, turnTraces } from '../core/traces.ts';
export { version } from '../version.ts';
