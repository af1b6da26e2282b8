import type { Ask } from '../api/ask.ts';

/** Validation and hooks run before the confirmation of a call. */
const graceMs = 300;

/** Forwards a job's questions to the call that started it, while that call waits for the job to get going. */
export interface JobQuestions {
  readonly ask: Ask;
  /** Resolves when no question is open and none came for a moment. Later questions are declined. */
  readonly closed: Promise<void>;
}

export function createJobQuestions(ask: Ask): JobQuestions {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let open = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const startGracePeriod = (): void => {
    timer = setTimeout(() => {
      isClosed = true;
      resolve();
    }, graceMs);
  };
  startGracePeriod();
  return {
    closed,
    async ask(question, signal) {
      if (isClosed) return { action: 'decline' };
      clearTimeout(timer);
      open++;
      try {
        return await ask(question, signal);
      } finally {
        if (--open === 0) startGracePeriod();
      }
    },
  };
}
