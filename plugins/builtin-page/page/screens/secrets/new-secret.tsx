import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SecretChange } from '../../../secrets/wire.ts';
import { ValueForm } from './value-form.tsx';

/** A secret that nothing names yet. */
export function NewSecret({ onChange }: { readonly onChange: (change: SecretChange) => void }) {
  const name = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <section class="sheet" aria-label="New secret">
      <div class="field">
        <label for="secret-name">Name</label>
        <input
          ref={field}
          id="secret-name"
          class="mono"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="secret-name-hint"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <p class="hint" id="secret-name-hint">
          Letters, digits and _, as in GITHUB_TOKEN. Manifests and servers get it as {'${NAME}'}.
        </p>
      </div>
      <ValueForm name={() => name.value.trim()} label="Value" action="Store it" onChange={onChange} />
    </section>
  );
}
