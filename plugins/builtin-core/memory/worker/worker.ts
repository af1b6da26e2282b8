import type { PluginContext } from 'pegboard';
import { readJson } from './read-json.ts';

/** The model that keeps memory in order, named by MEMORY_WORKER_MODEL. */
export interface Worker {
  /** What it answered, read as JSON. Throws what the model throws, and an Error when the answer holds none. */
  ask(instructions: string, text: string): Promise<unknown>;
}

/** Tokens of an answer. */
const maxReplyTokens = 4_000;
/** Milliseconds. */
const timeoutMs = 120_000;

/** Undefined without MEMORY_WORKER_MODEL: then memory works without a model. */
export function openWorker({
  variable,
  model,
  signal,
}: Pick<PluginContext, 'variable' | 'model' | 'signal'>): Worker | undefined {
  const name = variable('MEMORY_WORKER_MODEL');
  if (name === undefined || name === '') return undefined;
  return {
    async ask(instructions, text) {
      const opened = await model(name);
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(new DOMException('the memory worker took too long', 'TimeoutError')),
        timeoutMs,
      );
      try {
        const reply = await opened.respond(
          {
            messages: [
              { role: 'system', text: instructions },
              { role: 'user', content: [{ type: 'text', text }] },
            ],
            tools: [],
            signal: AbortSignal.any([signal, late.signal]),
            maxTokens: maxReplyTokens,
          },
          () => {},
        );
        return readJson(reply.text);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
