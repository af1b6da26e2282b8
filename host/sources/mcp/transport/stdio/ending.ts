import { setTimeout as sleep } from 'node:timers/promises';

/** Why a server has ended. The first reason counts. */
export interface Ending {
  readonly reason: string | undefined;
  set(reason: string): void;
  /** The reason, which may come so many milliseconds later than the end. */
  soon(ms: number): Promise<string>;
}

export function createEnding(): Ending {
  let reason: string | undefined;
  const known = Promise.withResolvers<void>();
  return {
    get reason() {
      return reason;
    },
    set(why) {
      reason ??= why;
      known.resolve();
    },
    async soon(ms) {
      await Promise.race([known.promise, sleep(ms, undefined, { ref: false })]);
      return reason ?? 'its process has ended';
    },
  };
}
