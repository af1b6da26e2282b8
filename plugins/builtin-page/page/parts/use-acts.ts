import { useSignal, type Signal } from '@preact/signals';
import { messageOf } from '../api.ts';

/** What a person does, one at a time, and why the last of it failed. */
export interface Acts {
  readonly isBusy: Signal<boolean>;
  readonly problem: Signal<string>;
  /** Does nothing while another act is done. Never rejects. */
  readonly run: (act: () => Promise<void>) => Promise<void>;
}

export function useActs(): Acts {
  const isBusy = useSignal(false);
  const problem = useSignal('');
  return {
    isBusy,
    problem,
    async run(act) {
      if (isBusy.value) return;
      isBusy.value = true;
      problem.value = '';
      try {
        await act();
      } catch (cause) {
        problem.value = messageOf(cause);
      } finally {
        isBusy.value = false;
      }
    },
  };
}
