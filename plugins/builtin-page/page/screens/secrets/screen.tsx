import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SecretChange, SecretList, SecretRow } from '../../../secrets/wire.ts';
import { reading } from '../../live/reading.ts';
import { refreshing } from '../../live/refreshing.ts';
import { Broken } from '../../parts/broken.tsx';
import { Offline } from '../../parts/offline.tsx';
import { Words } from '../../parts/words.tsx';
import { Changed } from './changed.tsx';
import { Missing } from './missing.tsx';
import { NewSecret } from './new-secret.tsx';
import { Secret } from './secret.tsx';

const list = reading<SecretList>('secrets');
/** What the last act has changed. */
const changed = signal<SecretChange | undefined>(undefined);

const isMissing = ({ uses }: SecretRow): boolean => uses.some((use) => use.isMissing);

/** Who gets which secret, and is one missing? */
export function SecretsScreen() {
  const isAdding = useSignal(false);
  useEffect(() => {
    changed.value = undefined;
    return refreshing(list);
  }, []);
  const onChange = (change: SecretChange): void => {
    changed.value = change;
    isAdding.value = false;
    void list.read();
  };
  const found = list.value.value;
  return (
    <div class="scroll narrow">
      <header class="lead">
        <h1 tabIndex={-1}>{found ? sentenceOf(found) : 'Secrets'}</h1>
        <p class="quiet">Tools, servers and models get them by name. No value is ever sent to this page.</p>
      </header>
      <Offline knowsNothing={!found} />
      {list.problem.value !== undefined && (
        <Broken
          what="The secrets could not be read."
          why={list.problem.value}
          again={() => void list.read()}
        />
      )}
      {!found && list.problem.value === undefined && <p class="quiet">Loading…</p>}
      {found?.problems.map(({ message }) => (
        <p class="sheet bad">
          <Words text={message} />
        </p>
      ))}
      <Changed change={changed.value} />
      {found && (
        <>
          <Missing secrets={found.secrets.filter(isMissing)} onChange={onChange} />
          <Listed secrets={found.secrets} onChange={onChange} />
          <div class="row answers">
            <button
              type="button"
              aria-expanded={isAdding.value}
              onClick={() => (isAdding.value = !isAdding.value)}
            >
              New secret…
            </button>
          </div>
          {isAdding.value && <NewSecret onChange={onChange} />}
        </>
      )}
    </div>
  );
}

function Listed({
  secrets,
  onChange,
}: Pick<SecretList, 'secrets'> & { onChange: (change: SecretChange) => void }) {
  const there = secrets.filter(({ from, stored }) => from !== undefined || stored !== undefined);
  const without = secrets.filter((one) => !there.includes(one) && !isMissing(one));
  return (
    <>
      {there.length > 0 && (
        <section class="sheet" aria-labelledby="there">
          <h2 id="there">{there.length === 1 ? '1 secret' : `${there.length.toLocaleString()} secrets`}</h2>
          <ul class="rows secrets">
            {there.map((one) => (
              <Secret key={one.name} secret={one} onChange={onChange} />
            ))}
          </ul>
        </section>
      )}
      {without.length > 0 && (
        <section class="sheet" aria-labelledby="without">
          <h2 id="without">Named, and not needed</h2>
          <p class="quiet">Each is optional, has a default, or belongs to something that is turned off.</p>
          <ul class="rows secrets">
            {without.map((one) => (
              <Secret key={one.name} secret={one} onChange={onChange} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function sentenceOf({ secrets, problems }: SecretList): string {
  if (problems.length > 0) return 'The stored secrets can’t be read.';
  const missing = secrets.filter(isMissing).length;
  if (missing > 0) return missing === 1 ? '1 secret is missing.' : `${missing} secrets are missing.`;
  return secrets.some(({ from }) => from !== undefined)
    ? 'Every secret that something needs is there.'
    : 'No secret is stored, and nothing needs one.';
}
