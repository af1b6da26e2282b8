import type { TurnContext } from '../api/conversation.ts';
import type { Model, ModelEvent, ModelReply, ModelRequest } from '../api/model.ts';
import { modelTraces } from '../core/traces.ts';

/** Asks a model so that who listens gets to know. `turn`: absent where none is behind it. */
export function askTraced(
  model: Model,
  request: ModelRequest,
  onEvent: (event: ModelEvent) => void,
  turn?: TurnContext,
): Promise<ModelReply> {
  const trace = { model: model.id, request, ...(turn && { turn }) };
  return modelTraces.tracePromise(() => model.respond(request, onEvent), trace);
}
