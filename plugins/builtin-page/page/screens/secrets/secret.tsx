import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SecretChange, SecretRow } from '../../../secrets/wire.ts';
import { post } from '../../api.ts';
import { useFocusAfter } from '../../parts/focus-after.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Problem } from '../../parts/problem.tsx';
import { shortTime } from '../../parts/time.ts';
import { useActs } from '../../parts/use-acts.ts';
import { withProof } from '../../proof.ts';
import { ToolGrantActs } from './grant.tsx';
import { Uses } from './uses.tsx';
import { ValueForm } from './value-form.tsx';

interface Props {
  readonly secret: SecretRow;
  readonly onChange: (change: SecretChange) => void;
}

/** A secret: where it is from, what names it, and what can be done with it. */
export function Secret({ secret, onChange }: Props) {
  const { name, from, stored, uses } = secret;
  // What the environment says comes first.
  const mayBeSet = stored !== undefined || from === undefined;
  const action = stored ? 'Replace' : 'Set';
  const open = useSignal<'set' | 'delete' | undefined>(undefined);
  const toggle = (what: 'set' | 'delete'): void => void (open.value = open.value === what ? undefined : what);
  const onDone = (change: SecretChange): void => {
    open.value = undefined;
    onChange(change);
  };
  return (
    <li>
      <div class="row">
        <b class="mono">
          <HiddenText text={name} />
        </b>
        <span class="grow" />
        <span class="row">
          {mayBeSet && (
            <button
              type="button"
              class="small"
              aria-label={`${action} ${name}`}
              aria-expanded={open.value === 'set'}
              onClick={() => toggle('set')}
            >
              {action}…
            </button>
          )}
          {stored && (
            <button
              type="button"
              class="small no"
              aria-label={`Delete ${name}`}
              aria-expanded={open.value === 'delete'}
              onClick={() => toggle('delete')}
            >
              Delete…
            </button>
          )}
        </span>
      </div>
      {from !== undefined && <p class="quiet">{originOf(secret)}</p>}
      {open.value === 'set' && (
        <div class="sheet ask">
          <ValueForm
            name={() => name}
            label={stored ? `New value of ${name}` : `Value of ${name}`}
            action={stored ? 'Replace it' : 'Store it'}
            onChange={onDone}
          />
        </div>
      )}
      {open.value === 'delete' && (
        <Deleting secret={secret} onDone={onDone} onKeep={() => (open.value = undefined)} />
      )}
      {uses.length === 0 ? (
        <p class="quiet">Nothing here names it. Code may read it all the same.</p>
      ) : (
        <Uses
          uses={uses}
          title="Used by"
          more={(use) => use.grant && <ToolGrantActs tool={use.name} grant={use.grant} onChange={onChange} />}
        />
      )}
    </li>
  );
}

function originOf({ name, from, stored }: SecretRow): string {
  const since = stored && shortTime(Date.parse(stored.at));
  const by =
    stored?.origin === 'environment'
      ? `from EXT_${name} of the environment`
      : stored?.origin === 'agent'
        ? 'by an agent that you let do it'
        : 'by you';
  const inStore = stored && `stored ${by} at ${since}`;
  if (from === 'store') return `${inStore![0]!.toUpperCase()}${inStore!.slice(1)}.`;
  const place = from === '.env' ? "In the home's .env" : 'In the environment of the host';
  return inStore === undefined
    ? `${place}: it is changed there.`
    : `${place}, which comes first: what is ${inStore}, is not used.`;
}

interface DeletingProps {
  readonly secret: SecretRow;
  readonly onDone: (change: SecretChange) => void;
  readonly onKeep: () => void;
}

function Deleting({ secret: { name, uses, from }, onDone, onKeep }: DeletingProps) {
  const acts = useActs();
  const box = useRef<HTMLDivElement>(null);
  useFocusAfter(box, () => document.querySelector<HTMLElement>(`[aria-label="Delete ${name}"]`));
  const remove = (): Promise<void> =>
    acts.run(async () => {
      const path = `secret-delete/${encodeURIComponent(name)}`;
      const change = await withProof(() => post<SecretChange>(path, {}));
      if (change) onDone(change);
    });
  return (
    <div ref={box} class="sheet ask">
      <p>
        {from !== 'store'
          ? 'The stored value goes, which is not used now.'
          : uses.length === 0
            ? 'Its value is gone for good.'
            : `Its value is gone for good, and ${uses.length === 1 ? 'what names it has' : `the ${uses.length} things that name it have`} none.`}
      </p>
      <div class="row answers">
        <button type="button" class="no" aria-disabled={acts.isBusy.value} onClick={() => void remove()}>
          Delete it<span class="quiet"> needs a code</span>
        </button>
        <button type="button" onClick={onKeep}>
          Keep it
        </button>
      </div>
      <Problem text={acts.problem.value} />
    </div>
  );
}
