import type {
  Model,
  ModelEvent,
  ModelMessage,
  ModelReply,
  ModelRequest,
  WireTool,
} from '../../../host/api/model.ts';
import { createOpenAiModel, type OpenAiModelOptions } from '../../../host/agent/models/openai-model.ts';

/** The model at `baseUrl`, opened like in a host, without retries. */
export const modelAt = (baseUrl: string, options: Partial<OpenAiModelOptions> = {}): Model =>
  createOpenAiModel({ id: 'test/scripted', name: 'scripted', contextWindow: 32_000, baseUrl, ...options });

export const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export const readFile: WireTool = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'integer' } } },
};

/** Sends a request, and returns the reply with the events. */
export async function ask(
  model: Model,
  request: Partial<ModelRequest> = {},
): Promise<{ readonly reply: ModelReply; readonly events: readonly ModelEvent[]; readonly heard: string }> {
  const events: ModelEvent[] = [];
  const reply = await model.respond(
    { messages: [user('hi')], tools: [readFile], signal: new AbortController().signal, ...request },
    (event) => events.push(event),
  );
  return { reply, events, heard: textHeard(events) };
}

/** The text that a listener ends up with: a restart discards everything before it. */
function textHeard(events: readonly ModelEvent[]): string {
  const from = events.findLastIndex(({ type }) => type === 'restart') + 1;
  return events
    .slice(from)
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join('');
}
