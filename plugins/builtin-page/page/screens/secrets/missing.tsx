import type { SecretChange, SecretRow } from '../../../secrets/wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Uses } from './uses.tsx';
import { ValueForm } from './value-form.tsx';

interface Props {
  readonly secrets: readonly SecretRow[];
  readonly onChange: (change: SecretChange) => void;
}

/** What something needs and doesn't have, and a field for each. */
export function Missing({ secrets, onChange }: Props) {
  if (secrets.length === 0) return null;
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">Missing</h2>
      {secrets.map((secret) => (
        <article key={secret.name} class="sheet ask" aria-label={secret.name}>
          <h3 class="mono">
            <HiddenText text={secret.name} />
          </h3>
          {secret.from !== undefined && (
            <p>It is in {placeOf(secret.from)}, which tools of spaces do not get.</p>
          )}
          <Uses uses={secret.uses.filter(({ isMissing }) => isMissing)} title="Needed by" />
          <ValueForm
            name={() => secret.name}
            label={`Value of ${secret.name}`}
            action="Store it"
            onChange={onChange}
          />
        </article>
      ))}
    </section>
  );
}

const placeOf = (from: NonNullable<SecretRow['from']>): string =>
  from === '.env' ? "the home's .env" : from === 'store' ? 'the store' : 'the environment';
