import type { Agent } from '../api/agent.ts';
import type { Model, ModelUsage } from '../api/model.ts';
import { addUsage } from '../core/add-usage.ts';
import type { Spending } from '../store/spending.ts';
import { askTraced } from './traced-model.ts';
import type { Turn } from './turn.ts';

/** A model whose calls are paid for: each is admitted by the day's caps before it is made, and recorded after it. */
export interface PaidModel {
  readonly respond: Model['respond'];
  /** Of all calls so far. */
  readonly usage: ModelUsage;
}

export interface PaidModelOptions {
  readonly agent: Agent;
  readonly turn: Turn;
  readonly spending: Spending;
  readonly homeCap: number | undefined;
}

/** `respond` throws PEG_LIMIT, without a call, when the day's money is spent. */
export function payFor(model: Model, { agent, turn, spending, homeCap }: PaidModelOptions): PaidModel {
  const { spendPerDay } = agent.runtime;
  const caps = {
    ...(spendPerDay !== undefined && { agent: spendPerDay }),
    ...(homeCap !== undefined && { home: homeCap }),
  };
  let usage: ModelUsage = { input: 0, output: 0 };
  return {
    get usage() {
      return usage;
    },
    async respond(request, onEvent) {
      const { id } = model;
      await using money = await spending.reserve({
        agent: agent.id,
        model: id,
        caps,
        signal: request.signal,
      });
      const reply = await askTraced(model, request, onEvent, turn);
      usage = addUsage(usage, reply.usage);
      turn.message.parent?.used?.(reply.usage);
      const { source, id: conversation } = turn.conversation;
      await money.settle({ agent: agent.id, model: reply.model, source, conversation, usage: reply.usage });
      return reply;
    },
  };
}
