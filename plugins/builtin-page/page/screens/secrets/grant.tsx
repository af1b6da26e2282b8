import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { SecretChange, SecretUse } from '../../../secrets/wire.ts';
import { post } from '../../api.ts';
import { useFocusAfter } from '../../parts/focus-after.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useActs } from '../../parts/use-acts.ts';
import { withProof } from '../../proof.ts';

type Grant = NonNullable<SecretUse['grant']>;

interface Props {
  readonly tool: string;
  readonly grant: Grant;
  readonly onChange: (change: SecretChange) => void;
}

const words: { readonly [state in Grant['state']]: string } = {
  given: 'gets it without asking',
  changed: 'has changed since you let it have it: it asks again',
  asks: 'asks before it gets it',
  'never asks': 'gets it without asking, since the settings say confirm: never',
};

/** Whether the tool gets the secret unasked, and changing that. */
export function ToolGrantActs({ tool, grant, onChange }: Props) {
  const { state, fingerprint } = grant;
  const isGiving = useSignal(false);
  const acts = useActs();
  const toggle = useRef<HTMLButtonElement>(null);
  const send = (act: string, body: object): Promise<void> =>
    acts.run(async () => {
      const path = `${act}/${encodeURIComponent(tool)}`;
      const change = await withProof(() => post<SecretChange>(path, body));
      if (!change) return;
      isGiving.value = false;
      onChange(change);
    });
  return (
    <div class="grant">
      <div class="row">
        <span class={state === 'given' || state === 'never asks' ? 'warn' : 'quiet'}>{words[state]}</span>
        {(state === 'asks' || state === 'changed') && (
          <button
            ref={toggle}
            type="button"
            class="small"
            aria-label={`Let it have it: ${tool}`}
            aria-expanded={isGiving.value}
            onClick={() => (isGiving.value = !isGiving.value)}
          >
            Let it have it…
          </button>
        )}
        {(state === 'given' || state === 'changed') && (
          <button
            type="button"
            class="small"
            aria-label={`Take it back: ${tool}`}
            aria-disabled={acts.isBusy.value}
            onClick={() => void send('secret-revoke', {})}
          >
            Take it back<span class="quiet"> needs a code</span>
          </button>
        )}
      </div>
      {isGiving.value && (
        <Giving
          tool={tool}
          grant={grant}
          isBusy={acts.isBusy.value}
          onGive={() => void send('secret-grant', { fingerprint })}
          onKeep={() => (isGiving.value = false)}
          toggle={toggle}
        />
      )}
      <Problem text={acts.problem.value} />
    </div>
  );
}

interface GivingProps {
  readonly tool: string;
  readonly grant: Grant;
  readonly isBusy: boolean;
  readonly onGive: () => void;
  readonly onKeep: () => void;
  readonly toggle: RefObject<HTMLButtonElement | null>;
}

/** What giving it would mean. */
function Giving({ tool, grant: { secrets, runs }, isBusy, onGive, onKeep, toggle }: GivingProps) {
  const box = useRef<HTMLDivElement>(null);
  useFocusAfter(box, () => toggle.current);
  return (
    <div ref={box} class="sheet ask">
      <p>
        <b class="mono">
          <HiddenText text={tool} />
        </b>{' '}
        would get {secrets.join(', ')} and run without asking, whoever runs it, until its manifest changes.
      </p>
      {runs !== undefined && (
        <pre tabIndex={0} role="region" aria-label={`What ${tool} runs`}>
          <HiddenText text={runs} />
        </pre>
      )}
      <div class="row answers">
        <button type="button" class="main" aria-disabled={isBusy} onClick={onGive}>
          Let it have it<span class="quiet"> needs a code</span>
        </button>
        <button type="button" onClick={onKeep}>
          Keep asking
        </button>
      </div>
    </div>
  );
}
