import type { Clock, Logger } from 'pegboard';
import { messageOf } from 'pegboard/kit';

/** Stops requests for embeddings for a while after a failure. */
export interface EmbeddingBreaker {
  /** No request should be made: one failed recently, or the search has closed. */
  readonly isOpen: boolean;
  /** Starts the pause. Only the first failure is logged. */
  fail(cause: unknown): void;
}

/** How long requests stop after a failure. */
const pauseMs = 60_000;

export function createEmbeddingBreaker(log: Logger, signal: AbortSignal, clock: Clock): EmbeddingBreaker {
  let pausedUntil = 0;
  let hasWarned = false;
  return {
    get isOpen() {
      return signal.aborted || clock.monotonic() < pausedUntil;
    },
    fail(cause) {
      pausedUntil = clock.monotonic() + pauseMs;
      if (signal.aborted || hasWarned) return;
      hasWarned = true;
      log.warn(`Tools are searched only by their words, because embeddings failed. ${messageOf(cause)}`);
    },
  };
}
