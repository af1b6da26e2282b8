import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { SecretChange } from '../../../secrets/wire.ts';
import { post } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { useActs } from '../../parts/use-acts.ts';
import { program } from '../../program.ts';
import { prove } from '../../proof.ts';

interface Props {
  /** Of the secret, when it is sent. */
  readonly name: () => string;
  readonly label: string;
  /** What the button says. */
  readonly action: string;
  readonly onChange: (change: SecretChange) => void;
}

/**
 * A field for a value. What is typed is in the field alone, and is sent once: the code is asked for before. It is gone
 * when it was stored, and when the form is left.
 */
export function ValueForm({ name, label, action, onChange }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const hasLines = useSignal(false);
  const acts = useActs();
  const send = (event: Event): void => {
    event.preventDefault();
    void acts.run(async () => {
      const secret = name();
      const input = field.current!;
      if (input.value === '') throw new Error(`The secret ${secret} needs a value.`);
      if (!(await prove())) return;
      const path = `secret-set/${encodeURIComponent(secret)}`;
      const change = await post<SecretChange>(path, { value: input.value });
      input.value = '';
      onChange(change);
    });
  };
  return (
    <form onSubmit={send} autocomplete="off">
      <div class="field">
        <label for={id}>{label}</label>
        <input
          ref={field}
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          data-1p-ignore
          data-lpignore="true"
          aria-describedby={`${id}-lines`}
          onInput={() => (hasLines.value = false)}
          onPaste={(event) => {
            // The field would join them, and say nothing.
            if (!/[\r\n]./.test(event.clipboardData?.getData('text') ?? '')) return;
            event.preventDefault();
            hasLines.value = true;
          }}
        />
        <p class="wrong" id={`${id}-lines`} role="alert">
          {hasLines.value && (
            <>
              It has several lines, which this field would join. In a terminal:{' '}
              <code>
                {program.value} secret set {name() || 'NAME'} {'<'} FILE
              </code>
            </>
          )}
        </p>
      </div>
      <div class="row answers">
        <button class="main" type="submit" aria-disabled={acts.isBusy.value}>
          {action}
          <span class="quiet"> needs a code</span>
        </button>
      </div>
      <Problem text={acts.problem.value} />
    </form>
  );
}
