import { randomUUID } from 'node:crypto';
import type { Model, ModelEvent, ModelReply, ModelRequest } from '../../../api/model.ts';
import { wrapModel } from '../wrap-model.ts';
import { toTools } from './format.ts';
import { createStreamBuffer } from './stream-buffer.ts';
import { formatsFor } from './formats-for.ts';
import { readCalls, withoutControlTokens } from './read-calls.ts';

/**
 * For a model with native tools whose calls may still arrive as text, for example from a server with a wrong template. A
 * reply of nothing but calls is parsed, and `onRecovered` called. Any other reply, also one with made-up results, stays
 * text, without control tokens.
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

/** Holds text back while it may be nothing but a call. */
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
        // Once there is text, the reply isn't only calls: the rest is shown as it arrives.
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
      onEvent({ type: 'restart', reason: 'the reply held more than text' });
      shown = '';
      show(final);
    },
  };
}
