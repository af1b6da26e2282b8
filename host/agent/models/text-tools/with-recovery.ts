import { randomUUID } from 'node:crypto';
import type { Model, ModelEvent, ModelReply, ModelRequest } from '../../../api/model.ts';
import { wrapModel } from '../wrap-model.ts';
import { toTools } from './format.ts';
import { createStreamBuffer } from './stream-buffer.ts';
import { formatsFor } from './formats-for.ts';
import { readCalls, withoutControlTokens } from './read-calls.ts';

/**
 * A model that is sent native tools and may still write its calls as text, as servers with a wrong template let it: a
 * reply that is nothing but calls is read as such, and `onRecovered` called. In any other reply, also in one that goes on
 * with results that it makes up, text stays text, without control tokens.
 */
export function withRecovery(model: Model, onRecovered: () => void): Model {
  return wrapModel(model, async (request, onEvent) => {
    if (request.tools.length === 0) return model.respond(request, onEvent);
    const heard = bufferEvents(request, onEvent);
    const reply = await model.respond(request, heard.onEvent);
    const recovered = recover(reply, request);
    if (recovered) onRecovered();
    const final = recovered ?? { ...reply, text: withoutControlTokens(reply.text) };
    heard.end(final.text);
    return final;
  });
}

function recover(reply: ModelReply, request: ModelRequest): ModelReply | undefined {
  if (reply.toolCalls.length > 0 || reply.finish === 'filtered') return undefined;
  const tools = toTools(request.tools, request.find, reply.finish !== 'length');
  const { text, calls, isMadeUp } = readCalls(reply.text, tools, formatsFor(request.messages));
  if (calls.length === 0 || text !== '' || isMadeUp) return undefined;
  const toolCalls = calls.map((call) => ({ id: `call_${randomUUID().slice(0, 13)}`, ...call }));
  return { ...reply, text, toolCalls, finish: reply.finish === 'stop' ? 'tool_calls' : reply.finish };
}

/** Holds text back for as long as it may turn out to be nothing but a call. */
function bufferEvents(
  { tools, find }: ModelRequest,
  onEvent: (event: ModelEvent) => void,
): { readonly onEvent: (event: ModelEvent) => void; end(text: string): void } {
  const open = () => createStreamBuffer(toTools(tools, find));
  let buffer = open();
  let text = '';
  let shown = '';
  const show = (piece: string): void => {
    shown += piece;
    if (piece !== '') onEvent({ type: 'text', text: piece });
  };
  return {
    onEvent(event) {
      if (event.type === 'text') {
        text += event.text;
        if (shown !== '') return show(event.text);
        // Once something is text the reply isn't only a call: the rest is shown as it comes.
        if (buffer.add(event.text) !== '') show(text);
        return;
      }
      if (event.type === 'restart') {
        buffer = open();
        text = '';
        shown = '';
      }
      onEvent(event);
    },
    end(final) {
      if (final.startsWith(shown)) return show(final.slice(shown.length));
      onEvent({ type: 'restart', reason: 'the answer held more than text' });
      shown = '';
      show(final);
    },
  };
}
