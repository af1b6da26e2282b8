import type { Model, ModelEvent, ModelRequest } from '../../api/model.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { wrapModel } from './wrap-model.ts';

/**
 * Removes secrets from what the model is sent, whoever wrote it, and from its text, also while it streams. The arguments
 * of its calls are unchanged, for the tools.
 */
export function withoutSecrets(model: Model, redactor: Redactor): Model {
  return wrapModel(model, async (request, onEvent) => {
    const heard = redactEvents(redactor, onEvent);
    const reply = await model
      .respond(redactRequest(redactor, request), heard.onEvent)
      .catch((thrown: unknown) => {
        throw redactError(redactor, thrown);
      });
    heard.end();
    return { ...reply, text: redactor.text(reply.text) };
  });
}

const redactRequest = (redactor: Redactor, { messages, tools, ...rest }: ModelRequest): ModelRequest => ({
  ...rest,
  messages: redactor.value(messages),
  tools: redactor.value(tools),
});

/** Providers repeat the key that they reject. */
function redactError(redactor: Redactor, thrown: unknown): unknown {
  if (!(thrown instanceof PegboardError)) return thrown;
  const { code, message, cause, data } = thrown;
  return new PegboardError(code, redactor.text(message), { cause, data: redactor.value(data) });
}

function redactEvents(
  redactor: Redactor,
  onEvent: (event: ModelEvent) => void,
): { readonly onEvent: (event: ModelEvent) => void; readonly end: () => void } {
  const kinds = ['thinking', 'text'] as const;
  const open = () => ({ thinking: redactor.stream(), text: redactor.stream() });
  let streams = open();
  const say = (type: (typeof kinds)[number], text: string): void => {
    if (text !== '') onEvent({ type, text });
  };
  return {
    onEvent(event) {
      if (event.type !== 'restart') return say(event.type, streams[event.type].add(event.text));
      streams = open();
      onEvent({ ...event, reason: redactor.text(event.reason) });
    },
    end() {
      for (const kind of kinds) say(kind, streams[kind].end());
    },
  };
}
