import type { Agent } from '../api/agent.ts';
import type { TurnContext } from '../api/conversation.ts';
import type { Model, ModelEvent, ModelReply, ModelRequest, ModelUsage } from '../api/model.ts';
import { addUsage } from '../core/add-usage.ts';
import { modelTraces } from '../core/traces.ts';
import type { Spending } from '../store/usage/spending.ts';
import type { Models } from './models/create-models.ts';
import { capIsNone } from './models/prices/unknown-price.ts';
import { wrapModel } from './models/wrap-model.ts';

/** A model whose requests are paid for: each is checked against the daily caps first, and recorded afterwards. */
export interface PaidModel {
  readonly respond: Model['respond'];
  /** Of all requests so far. */
  readonly usage: ModelUsage;
}

export interface PaidModelOptions {
  readonly agent: Agent;
  readonly turn: TurnContext;
  readonly spending: Spending;
  readonly homeCap: number | undefined;
  readonly models: Pick<Models, 'takeUnpriced'>;
}

/** For background requests of a plugin: they are recorded under its name, and count against the home's cap. */
export const paidBy = (
  payer: string,
  model: Model,
  { spending, homeCap }: { readonly spending: Spending; readonly homeCap: () => number | undefined },
): Model =>
  wrapModel(model, async (request, onEvent) => {
    const home = homeCap();
    const caps = home === undefined ? {} : { home };
    const { signal } = request;
    await using money = await spending.reserve({ agent: payer, model: model.id, caps, signal });
    const reply = await respondTraced(model, request, onEvent);
    await money.settle({ agent: payer, model: reply.model, source: 'background', usage: reply.usage });
    return reply;
  });

/** `respond` throws PEG_LIMIT, without a request, when a daily cap is reached. */
export function payFor(
  model: Model,
  { agent, turn, spending, homeCap, models }: PaidModelOptions,
): PaidModel {
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
      const reply = await respondTraced(model, request, onEvent, turn);
      usage = addUsage(usage, reply.usage);
      if (Object.keys(caps).length > 0 && models.takeUnpriced(reply.model))
        turn.message.onEvent?.({ type: 'notice', text: capIsNone([reply.model]) });
      turn.message.parent?.recordUsage?.(reply.usage);
      const { source, id: conversation } = turn.conversation;
      await money.settle({ agent: agent.id, model: reply.model, source, conversation, usage: reply.usage });
      return reply;
    },
  };
}

/** Publishes the request on the diagnostics channel. `turn`: absent for background work. */
function respondTraced(
  model: Model,
  request: ModelRequest,
  onEvent: (event: ModelEvent) => void,
  turn?: TurnContext,
): Promise<ModelReply> {
  const trace = { model: model.id, request, ...(turn && { turn }) };
  return modelTraces.tracePromise(() => model.respond(request, onEvent), trace);
}
