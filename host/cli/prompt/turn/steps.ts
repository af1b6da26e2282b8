/** Steps in their order: each runs at once, unless an earlier one is still at work. */
export interface Steps {
  /** `step` must not throw or reject. */
  run(step: () => Promise<void> | undefined): void;
  /** Resolves when all have run. */
  done(): Promise<void>;
  /** Cancels the steps that wait. */
  stop(): void;
}

export function createSteps(): Steps {
  let working: Promise<void> | undefined;
  let isStopped = false;
  const forget = async (work: Promise<void>): Promise<void> => {
    await work;
    if (working === work) working = undefined;
  };
  return {
    run(step) {
      const work = working ? working.then(() => (isStopped ? undefined : step())) : step();
      if (!work) return;
      working = work;
      void forget(work);
    },
    async done() {
      await working;
    },
    stop: () => void (isStopped = true),
  };
}
