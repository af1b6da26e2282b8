import { parseJson } from 'pegboard/browser';
import type { LiveEvent } from '../../wire.ts';
import { ApiError, request } from '../api.ts';

/** Milliseconds between two attempts to connect: the first and the longest. */
const firstWaitMs = 250;
const maxWaitMs = 2_000;
/** The host sends a sign of life more often than this. */
const silentMs = 40_000;

export interface Received {
  /** "EPOCH:NUMBER". Another epoch is another process. */
  readonly id: string;
  readonly event: LiveEvent;
}

/**
 * The host's events, with the connection opened again whenever it ends. `after` is the id of the last event that is known
 * already. Ends by throwing ApiError when the session is over.
 */
export async function* receive(
  after: string | undefined,
  onConnected: (isConnected: boolean) => void,
): AsyncGenerator<Received> {
  let last = after;
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, maxWaitMs)) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silentMs);
    try {
      const query = last === undefined ? '' : `?after=${encodeURIComponent(last)}`;
      const { body } = await request(`events${query}`, { signal: silence.signal });
      onConnected(true);
      wait = firstWaitMs;
      let rest = '';
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silentMs);
        const messages = (rest + part.value).split('\n\n');
        rest = messages.pop()!;
        for (const message of messages) {
          const received = read(message);
          if (!received) continue;
          last = received.id;
          yield received;
        }
      }
    } catch (cause) {
      if (cause instanceof ApiError && cause.code === 'SIGNED_OUT') throw cause;
    } finally {
      clearTimeout(timer);
    }
    onConnected(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Undefined for a comment. */
function read(message: string): Received | undefined {
  const id = /^id: (.*)$/m.exec(message)?.[1];
  const data = /^data: (.*)$/m.exec(message)?.[1];
  return id === undefined || data === undefined ? undefined : { id, event: parseJson(data) as LiveEvent };
}
