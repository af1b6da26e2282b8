import { useSignal } from '@preact/signals';
import type { FoundDetails, FoundInput, FoundWay } from '../../../../servers/wire.ts';
import { HiddenText } from '../../../parts/hidden-text.tsx';
import { ForeignLink } from '../../../parts/link.tsx';
import { Draft } from './draft.tsx';
import { Text } from './typed.tsx';
import { useDraft } from './use-draft.ts';

/** A server of the registry, and what it has to be told. */
export function FoundServer({ details }: { readonly details: FoundDetails }) {
  const { entry, version, title, description, repository, status, statusMessage, ways } = details;
  const usable = ways.filter(({ refused }) => refused === undefined);
  return (
    <section class="sheet" aria-labelledby="found">
      <h3 id="found" class="mono">
        <HiddenText text={entry} />
      </h3>
      <p class="quiet">
        {title !== undefined && (
          <>
            <HiddenText text={title} />,{' '}
          </>
        )}
        version <HiddenText text={version} />
      </p>
      <p>
        <HiddenText text={description} />
      </p>
      {repository !== undefined && (
        <p>
          <ForeignLink href={repository}>Its source</ForeignLink>
        </p>
      )}
      {status !== 'active' && (
        <p class="warn">
          It is {status}. <HiddenText text={statusMessage ?? ''} />
        </p>
      )}
      {ways
        .filter(({ refused }) => refused !== undefined)
        .map(({ kind, what, refused = '' }) => (
          <p class="warn">
            <HiddenText text={`${kind} ${what} can't be added: ${refused}.`} />
          </p>
        ))}
      {usable.length === 0 ? (
        <p>There is no way to run it that Pegboard supports. A command that you have checked can be typed.</p>
      ) : (
        status !== 'deleted' && <Ways details={details} ways={usable} />
      )}
    </section>
  );
}

function Ways({ details, ways }: { readonly details: FoundDetails; readonly ways: readonly FoundWay[] }) {
  const at = useSignal(0);
  const name = useSignal(details.name);
  const answers = useSignal<{ readonly [key: string]: string }>({});
  const drafting = useDraft();
  const { kind, what, inputs } = ways[at.value]!;
  const change = (act: () => void): void => {
    act();
    drafting.forget();
  };
  const look = (event: Event): void => {
    event.preventDefault();
    const { entry, version } = details;
    void drafting.look({
      from: 'registry',
      name: name.value.trim(),
      entry,
      version,
      kind,
      what,
      answers: answers.value,
    });
  };
  return (
    <form onSubmit={look} autocomplete="off">
      {ways.length > 1 && (
        <div class="field">
          <label for="found-way">How it is reached</label>
          <select
            id="found-way"
            value={at.value}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value);
              change(() => ((at.value = chosen), (answers.value = {})));
            }}
          >
            {ways.map((way, index) => (
              <option value={index}>{`${way.kind}: ${way.what}`}</option>
            ))}
          </select>
        </div>
      )}
      <Text
        id="found-name"
        label="Name"
        hint="The first half of its tools' names: letters, digits, - and _"
        value={name.value}
        onInput={(text) => change(() => (name.value = text))}
      />
      {inputs.map((input) => (
        <Input
          key={input.key}
          input={input}
          value={answers.value[input.key] ?? ''}
          onInput={(text) => change(() => (answers.value = { ...answers.value, [input.key]: text }))}
        />
      ))}
      <div class="row actions">
        <button class={drafting.draft.value ? '' : 'main'} type="submit" disabled={drafting.isBusy.value}>
          Show what it would be
        </button>
      </div>
      <Draft drafting={drafting} />
    </form>
  );
}

interface InputProps {
  readonly input: FoundInput;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

function Input({
  input: { key, place, description, choices, preset, isRequired, isSecret },
  value,
  onInput,
}: InputProps) {
  const id = `found-${key}`;
  const common = {
    id,
    spellcheck: false,
    placeholder: preset ?? '',
    'aria-describedby': `${id}-hint`,
    value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }): void =>
      onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">
          <HiddenText text={key} />
        </span>{' '}
        <span class="quiet">
          {place}
          {isRequired && ', required'}
        </span>
      </label>
      {choices ? (
        <select id={id} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          <option value="">{preset === undefined ? '' : `as published: ${preset}`}</option>
          {choices.map((choice) => (
            <option value={choice}>{choice}</option>
          ))}
        </select>
      ) : isSecret ? (
        <input {...common} type="password" autocomplete="new-password" />
      ) : (
        <input {...common} type="text" autocomplete="off" />
      )}
      <p class="hint" id={`${id}-hint`}>
        {description !== undefined && <HiddenText text={`${description} `} />}
        {isSecret && 'Stored as a secret. Left empty, a variable or secret of yours with its name is used.'}
      </p>
    </div>
  );
}
