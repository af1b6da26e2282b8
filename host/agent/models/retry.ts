import { systemClock } from '../../core/async/clock.ts';
import type { Clock } from '../../api/surroundings.ts';
import type { Model, ModelEvent } from '../../api/model.ts';
import { asSentence } from '../../core/text/as-sentence.ts';
import { PegboardError } from '../../core/errors.ts';
import type { ModelFailureData } from './failure.ts';

export interface RetryOptions {
  /** Requests in all. */
  readonly attempts: number;
  /** Before the second request; each further delay is twice as long, ±25 %. */
  readonly firstDelayMs: number;
  /** A provider that asks for a longer delay is not retried. */
  readonly maxDelayMs: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export const defaultRetries: RetryOptions = { attempts: 4, firstDelayMs: 500, maxDelayMs: 60_000 };

/**
 * Retries after 429, 5xx, a failed connection or an interrupted response. Nothing of an interrupted response was acted
 * on, since respond() only returns complete ones; a `restart` event says that what was streamed of it doesn't count.
 */
export function withRetry(model: Model, options: RetryOptions = defaultRetries): Model {
  const { clock = systemClock } = options;
  return {
    ...model,
    async respond(request, onEvent) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await model.respond(request, onEvent);
        } catch (thrown) {
          const wait = waitFor(thrown, attempt, options);
          if (wait === undefined) throw thrown;
          onEvent(restart((thrown as PegboardError).message, wait));
          await clock.sleep(wait, request.signal);
          if (request.signal.aborted)
            throw new PegboardError('PEG_CANCELLED', `The request to ${model.id} was cancelled.`);
        }
      }
    },
  };
}

/** Milliseconds until the next try; undefined when there is none. */
function waitFor(
  thrown: unknown,
  attempt: number,
  { attempts, firstDelayMs, maxDelayMs }: RetryOptions,
): number | undefined {
  if (!(thrown instanceof PegboardError) || thrown.code !== 'PEG_MODEL_UNAVAILABLE') return undefined;
  if (attempt >= attempts) return undefined;
  const { retryAfter } = thrown.data as ModelFailureData;
  if (retryAfter !== undefined) return retryAfter > maxDelayMs ? undefined : retryAfter;
  const jitter = 0.75 + Math.random() / 2;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1) * jitter);
}

const restart = (reason: string, wait: number): ModelEvent => ({
  type: 'restart',
  reason:
    wait < 1000
      ? `${asSentence(reason)} Trying again.`
      : `${asSentence(reason)} Trying again in ${Math.round(wait / 1000)} s.`,
});
