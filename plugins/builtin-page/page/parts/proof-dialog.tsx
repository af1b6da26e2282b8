import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf, post } from '../api.ts';
import { Words } from './words.tsx';
import { waitingProof, type WaitingProof } from '../proof.ts';

/** Asks for the code from the terminal while something waits for it. */
export function ProofDialog() {
  const waiting = waitingProof.value;
  return waiting ? <Dialog key={waiting} waiting={waiting} /> : null;
}

function Dialog({ waiting }: { readonly waiting: WaitingProof }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const code = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => {
    const at = dialog.current!;
    at.showModal();
    return () => at.close();
  }, []);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = '';
    try {
      const { isProven } = await post<{ readonly isProven: boolean }>('proof', { code: code.value });
      if (isProven) return waiting.done(true);
      problem.value =
        'This code is wrong, used, or older than ten minutes. After five wrong ones you are signed out.';
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <dialog ref={dialog} aria-labelledby="proof-title" onCancel={() => waiting.done(false)}>
      <form onSubmit={(event) => void send(event)}>
        <h2 id="proof-title">Show that it is you</h2>
        <p>
          <Words text={waiting.reason} />
        </p>
        <div class="field">
          <label for="proof-code">Code</label>
          <input
            id="proof-code"
            class="code"
            type="text"
            autocomplete="one-time-code"
            autocapitalize="characters"
            spellcheck={false}
            placeholder="XXXX-XXXX"
            aria-describedby="proof-problem"
            aria-invalid={problem.value !== ''}
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
          <p class="wrong reserved" id="proof-problem" role="alert">
            {problem.value}
          </p>
        </div>
        <div class="row end">
          <button type="button" onClick={() => waiting.done(false)}>
            Cancel
          </button>
          <button class="main" type="submit" disabled={isBusy.value || code.value.trim() === ''}>
            Continue
          </button>
        </div>
      </form>
    </dialog>
  );
}
