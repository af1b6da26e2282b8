import type { PluginContext } from 'pegboard';
import { readJson } from './read-json.ts';

/** The model that maintains memory, set by MEMORY_WORKER_MODEL. */
export interface Worker {
  /** Its answer, parsed as JSON. Rejects with the model's error, or an Error when the answer contains no JSON. */
  ask(instructions: string, text: string): Promise<unknown>;
}

/** Maximum tokens of an answer. */
const maxReplyTokens = 4_000;
/** Milliseconds. */
const timeoutMs = 120_000;

/** Undefined without MEMORY_WORKER_MODEL. Memory then works without a model. */
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
