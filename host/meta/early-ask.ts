import type { Ask } from '../api/ask.ts';

/** Milliseconds: validation and hooks come before the question whether a tool may run. */
const graceMs = 300;

/** Questions of a job go to whoever started it, as long as they wait for it to get going. */
export interface EarlyAsk {
  readonly ask: Ask;
  /** Resolves when no question is open and none came for a moment. From then on nobody is there. */
  readonly closed: Promise<void>;
}

export function createEarlyAsk(ask: Ask): EarlyAsk {
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
