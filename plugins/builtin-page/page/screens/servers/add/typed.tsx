import { signal } from '@preact/signals';
import { Draft } from './draft.tsx';
import { useDraft } from './use-draft.ts';

interface Value {
  readonly name: string;
  readonly value: string;
}

/** They outlive a look at another screen. */
const name = signal('');
const target = signal('');
const values = signal<readonly Value[]>([]);
const cwd = signal('');

/** A server that the person writes down. */
export function Typed() {
  const drafting = useDraft();
  const isAddress = /^https?:/i.test(target.value.trim());
  const kind = isAddress ? 'header' : 'variable';
  const change = (act: () => void): void => {
    act();
    drafting.forget();
  };
  const look = (event: Event): void => {
    event.preventDefault();
    void drafting.look({
      from: 'typed',
      name: name.value.trim(),
      target: target.value,
      values: Object.fromEntries(
        values.value.filter((one) => one.name.trim() !== '').map((one) => [one.name.trim(), one.value]),
      ),
      ...(!isAddress && cwd.value.trim() !== '' && { cwd: cwd.value.trim() }),
    });
  };
  return (
    <form onSubmit={look} autocomplete="off">
      <Text
        id="server-target"
        label="Command or address"
        hint="npx -y @modelcontextprotocol/server-everything, or https://example.com/mcp"
        isMono
        value={target.value}
        onInput={(text) => change(() => (target.value = text))}
      />
      <Text
        id="server-name"
        label="Name"
        hint="The first half of its tools' names: letters, digits, - and _"
        value={name.value}
        onInput={(text) => change(() => (name.value = text))}
      />
      {!isAddress && (
        <Text
          id="server-cwd"
          label="Folder that it starts in (optional)"
          hint="From the home; the home itself when left out"
          value={cwd.value}
          onInput={(text) => change(() => (cwd.value = text))}
        />
      )}
      <Values kind={kind} onChange={(next) => change(() => (values.value = next))} />
      <div class="row actions">
        <button
          class={drafting.draft.value ? '' : 'main'}
          type="submit"
          disabled={drafting.isBusy.value || target.value.trim() === '' || name.value.trim() === ''}
        >
          Show what it would be
        </button>
      </div>
      <Draft drafting={drafting} />
    </form>
  );
}

interface ValuesProps {
  readonly kind: string;
  readonly onChange: (values: readonly Value[]) => void;
}

function Values({ kind, onChange }: ValuesProps) {
  const set = (at: number, change: Partial<Value>): void =>
    onChange(values.value.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <fieldset>
      <legend>{kind === 'header' ? 'Headers' : 'Variables'} (optional)</legend>
      <p class="hint">
        What may be a secret is stored as one; the entry only refers to it. {'${NAME}'} stands for a variable
        or a secret that you have.
      </p>
      {values.value.map((one, at) => (
        <div class="pair" key={at}>
          <input
            type="text"
            aria-label={`Name of ${kind} ${at + 1}`}
            placeholder="Name"
            spellcheck={false}
            value={one.name}
            onInput={(event) => set(at, { name: event.currentTarget.value })}
          />
          <input
            type="password"
            aria-label={`Value of ${kind} ${at + 1}`}
            placeholder="Value"
            autocomplete="new-password"
            value={one.value}
            onInput={(event) => set(at, { value: event.currentTarget.value })}
          />
          <button
            type="button"
            class="small"
            aria-label={`Leave out ${kind} ${at + 1}`}
            onClick={() => onChange(values.value.toSpliced(at, 1))}
          >
            Leave out
          </button>
        </div>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => onChange([...values.value, { name: '', value: '' }])}
      >
        One more {kind}
      </button>
    </fieldset>
  );
}

interface TextProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly isMono?: boolean;
}

export function Text({ id, label, hint, value, onInput, isMono = false }: TextProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class={isMono ? 'mono' : ''}
        type="text"
        spellcheck={false}
        autocapitalize="off"
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
