import type { Ask } from '../api/ask.ts';

/** Milliseconds: validation and hooks come before the question whether a tool may run. */
const graceMs = 300;

/** Questions of a job go to whoever started it, as long as they wait for it to get going. */
export interface EarlyAsk {
  readonly ask: Ask;
  /** Resolves when no question is open and none came for a moment. From then on nobody is there. */
  readonly over: Promise<void>;
}

export function createEarlyAsk(ask: Ask): EarlyAsk {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let open = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const waitABit = (): void => {
    timer = setTimeout(() => {
      isOver = true;
      resolve();
    }, graceMs);
  };
  waitABit();
  return {
    over,
    async ask(question, signal) {
      if (isOver) return { action: 'decline' };
      clearTimeout(timer);
      open++;
      try {
        return await ask(question, signal);
      } finally {
        if (--open === 0) waitABit();
      }
    },
  };
}
