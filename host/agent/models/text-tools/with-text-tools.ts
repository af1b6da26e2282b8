import { randomUUID } from 'node:crypto';
import type { Model, ModelEvent, ModelReply, ModelRequest } from '../../../api/model.ts';
import { toTools } from './format.ts';
import { formatsFor } from './formats-for.ts';
import { createStreamBuffer } from './stream-buffer.ts';
import { toTextMessages } from './prompt.ts';
import { readCalls, type TextAnswer } from './read-calls.ts';

/**
 * Adds tool calls to a model without native support: schemas go into the system prompt, calls are parsed from the text.
 * The streamed text never shows the markup of a call.
 */
export function withTextTools(model: Model): Model {
  return {
    id: model.id,
    contextWindow: model.contextWindow,
    nativeTools: false,
    async respond(request, onEvent) {
      const messages = toTextMessages(request.messages, request.tools);
      if (request.tools.length === 0) return model.respond({ ...request, messages }, onEvent);
      const tools = toTools(request.tools, request.find);
      let buffer = createStreamBuffer(tools);
      let thinking = '';
      const onModelEvent = (event: ModelEvent): void => {
        if (event.type === 'text') return say(buffer.add(event.text), onEvent);
        if (event.type === 'restart') {
          buffer = createStreamBuffer(tools);
          thinking = '';
        } else thinking += event.text;
        onEvent(event);
      };
      const reply = await model.respond({ ...request, messages, tools: [] }, onModelEvent);
      const answer = readAnswer(reply, thinking, request);
      if (answer.text.startsWith(buffer.shown)) say(answer.text.slice(buffer.shown.length), onEvent);
      else {
        onEvent({ type: 'restart', reason: 'the reply held more than text' });
        say(answer.text, onEvent);
      }
      return toReply(reply, answer);
    },
  };
}

/** A model whose whole reply is reasoning may have made its call in it: then the call is at its end. */
function readAnswer({ text, finish }: ModelReply, thinking: string, request: ModelRequest): TextAnswer {
  const tools = toTools(request.tools, request.find, finish !== 'length');
  const answer = readCalls(text, tools, formatsFor(request.messages));
  if (text.trim() !== '' || finish === 'length') return answer;
  const thought = readCalls(thinking, tools);
  const meant = thought.endsInCall && thought.calls.every(({ name }) => tools.has(name));
  return meant ? { ...thought, text: '' } : answer;
}

function toReply(reply: ModelReply, { text, calls }: TextAnswer): ModelReply {
  const toolCalls = calls.map((call) => ({ id: `call_${randomUUID().slice(0, 13)}`, ...call }));
  const finish = toolCalls.length > 0 && reply.finish === 'stop' ? 'tool_calls' : reply.finish;
  return { ...reply, text, toolCalls, finish };
}

function say(text: string, onEvent: (event: ModelEvent) => void): void {
  if (text !== '') onEvent({ type: 'text', text });
}
