import { useSignal, type Signal } from '@preact/signals';
import type { AddedRow, DraftRow, WantedServer } from '../../../../servers/wire.ts';
import { post } from '../../../api.ts';
import { useActs, type Acts } from '../../../parts/use-acts.ts';
import { withProof } from '../../../proof.ts';
import { go, serverPath } from '../../../router.ts';

/** A server that is looked at before it is added. */
export interface Drafting extends Pick<Acts, 'isBusy' | 'problem'> {
  readonly draft: Signal<DraftRow | undefined>;
  /** Asks the host what it would write. */
  look(wanted: WantedServer): Promise<void>;
  /** Adds what was shown, and goes to its page. */
  add(): Promise<void>;
  /** What is shown no longer fits what the person wants. */
  forget(): void;
}

export function useDraft(): Drafting {
  const draft = useSignal<DraftRow | undefined>(undefined);
  const wanted = useSignal<WantedServer | undefined>(undefined);
  const { isBusy, problem, run } = useActs();
  const forget = (): void => {
    draft.value = undefined;
    wanted.value = undefined;
    problem.value = '';
  };
  return {
    draft,
    problem,
    isBusy,
    forget,
    look: (given) =>
      run(async () => {
        const found = await post<DraftRow>('server-draft', given);
        draft.value = found;
        wanted.value = given;
      }),
    add: () =>
      run(async () => {
        const body = { ...wanted.value, shown: draft.value!.shown };
        const added = await withProof(() => post<AddedRow>('server-add', body));
        if (!added) return;
        forget();
        go(serverPath(added.name));
      }),
  };
}
