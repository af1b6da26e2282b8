import type { JsonObject } from 'pegboard';
import { systemClock } from 'pegboard/kit';
import type { Endpoint } from '../endpoint.ts';
import type { Exchange } from '../protocol/exchange.ts';
import type { Promotion } from './round-call.ts';
import { tasksRequired, supportsTasks, toCreated } from './task-methods.ts';

/** A call of a tool that may continue as a task. */
export interface TaskCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** A longer call of any tool becomes a task, before clients time out. */
const longMs = 15_000;
/** Questions within this time are asked without a task. */
const firstQuestionsMs = 100;

export const supportOf = ({ host }: Endpoint, name: string): unknown =>
  host.registry.snapshot.find(name)?.execution?.taskSupport;

/**
 * How a call becomes a task of the 2026-07-28 protocol, in which the server decides. Throws for one of our own tools
 * that requires a task and a client without task support; for tools of servers the call waits instead.
 */
export function promotionOf(endpoint: Endpoint, call: TaskCall, exchange: Exchange): Promotion | undefined {
  const { tasks } = endpoint;
  const { clock = systemClock } = endpoint.host;
  if (exchange.era === 'legacy' || !tasks) return undefined;
  const support = supportOf(endpoint, call.name);
  if (!supportsTasks(exchange)) {
    const isForeign = endpoint.host.registry.snapshot.find(call.name)?.source.kind === 'mcp';
    if (support === 'required' && !isForeign)
      throw tasksRequired(
        `${call.name} only runs as a task, and this client doesn't declare the tasks extension.`,
      );
    return undefined;
  }
  if (support === 'forbidden') return undefined;
  return {
    clock,
    afterMs: support === 'required' ? firstQuestionsMs : support === 'optional' ? 0 : longMs,
    async take({ controller, questions, outcome: work }) {
      const { name: tool, args } = call;
      const starter = `mcp:${exchange.client.name}`;
      return toCreated(await tasks.create({ tool, args, starter, work, controller, questions }));
    },
  };
}
