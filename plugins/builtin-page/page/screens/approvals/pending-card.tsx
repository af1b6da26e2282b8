import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { PendingRow } from '../../../wire.ts';
import { messageOf, post } from '../../api.ts';
import { Diff } from '../../parts/diff.tsx';
import { useFocusAfter } from '../../parts/focus-after.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { withProof } from '../../proof.ts';
import { Problem } from '../../parts/problem.tsx';

interface Props {
  readonly pending: PendingRow;
  /** With the sentence about what holds now. */
  readonly onAccepted: (message: string) => void;
  readonly onFailed: (message: string) => void;
  /** Why accepting it failed. */
  readonly problem: string | undefined;
}

/** Something new or changed, and what exactly accepting it accepts. */
export function PendingCard({ pending, problem, onAccepted, onFailed }: Props) {
  const { id, what, question, detail, isComplete, command, warnings, shown } = pending;
  const isBusy = useSignal(false);
  const title = useId();
  const box = useRef<HTMLElement>(null);
  useFocusAfter(box, () => document.querySelector<HTMLElement>('.accepted:last-of-type, h1'));
  const accept = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const path = id.split('/').map(encodeURIComponent).join('/');
      const answer = await withProof(() => post<{ readonly message: string }>(`pending/${path}`, { shown }));
      if (answer) onAccepted(answer.message);
    } catch (cause) {
      onFailed(messageOf(cause));
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <article ref={box} class="sheet ask" aria-labelledby={title}>
      <h3 id={title}>
        <HiddenText text={question} />
      </h3>
      <p class="quiet">{what.join(', ')}</p>
      {warnings.length > 0 && (
        <ul class="notes warn">
          {warnings.map((warning) => (
            <li>
              <HiddenText text={warning} />
            </li>
          ))}
        </ul>
      )}
      <Diff text={detail} label={`What ${id} would be`} />
      {isComplete ? (
        <div class="row answers">
          <button type="button" class="main" aria-disabled={isBusy.value} onClick={() => void accept()}>
            Accept<span class="quiet"> needs a code</span>
          </button>
        </div>
      ) : (
        <p>
          Not everything of it can be shown here. This command shows it and asks: <code>{command}</code>
        </p>
      )}
      <Problem text={problem ?? ''} />
    </article>
  );
}
