import { AnsweredElsewhere, type Ask } from 'pegboard';

/** Whether a turn has had effects: then nobody may repeat it. */
export interface Acting {
  /** A call that may have effects begins, or has ended. */
  begins(): Promise<void>;
  ends(): void;
  /** Asks as `ask` does. */
  readonly ask: Ask;
}

/**
 * `write` keeps it on disk. A call that waits for its approval has done nothing: if it is the only one of the turn, the
 * turn can be repeated after a crash, and asks again.
 */
export function createActing(write: (acted: boolean) => Promise<void>, ask: Ask): Acting {
  let begun = 0;
  let ended = 0;
  return {
    async begins() {
      begun++;
      await write(true);
    },
    ends: () => void ended++,
    async ask(question, signal) {
      // Approvals show what will run; what a running tool asks doesn't.
      const isFirst = question.detail !== undefined && begun === 1 && ended === 0;
      if (!isFirst) return await ask(question, signal);
      await write(false);
      const settle = async (allowed: boolean): Promise<void> => {
        if (!allowed) begun--;
        if (begun > 0) await write(true);
      };
      try {
        const answer = await ask(question, signal);
        const accepted = answer.action === 'accept';
        await settle(accepted);
        return {
          ...answer,
          async onLost(outcome) {
            if (outcome.allowed && !accepted) {
              begun++;
              await write(true);
            }
            await answer.onLost?.(outcome);
          },
        };
      } catch (thrown) {
        // Where the host ends instead, the turn is repeated after its restart.
        if (signal.reason instanceof AnsweredElsewhere) await settle(signal.reason.allowed);
        throw thrown;
      }
    },
  };
}
