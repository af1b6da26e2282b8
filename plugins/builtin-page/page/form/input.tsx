import { useState } from 'preact/hooks';
import { type JsonSchema, parseMember, toJson, writtenText } from 'pegboard/browser';
import { enteredNumber, enteredNumbers, memberText, type Entered } from './numbers.ts';
import { choicesOf, itemKind, kindOf } from './schema.ts';

export interface InputProps {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly holder: object;
  readonly name: string;
  readonly isRequired: boolean;
  /** Attributes that tie it to its label and its hint. */
  readonly field: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
    readonly 'aria-required': boolean;
  };
  readonly onChange: (entered: Entered) => void;
}

/** One value, entered as its schema suggests. */
export function Input(props: InputProps) {
  switch (kindOf(props.schema, props.root)) {
    case 'choice':
      return <ChoiceInput {...props} />;
    case 'boolean':
      return <BooleanInput {...props} />;
    case 'number':
      return <NumberInput {...props} />;
    case 'list':
      return <ListInput {...props} />;
    case 'text':
      return <TextInput {...props} />;
    default:
      return <JsonInput {...props} />;
  }
}

const valueIn = ({ holder, name }: InputProps): unknown =>
  (holder as { readonly [name: string]: unknown })[name];

const nothing = ({ schema, isRequired }: InputProps, label: (value: unknown) => string): string => {
  const fallback = schema['default'];
  if (fallback !== undefined) return `${label(fallback)} (default)`;
  return isRequired ? 'Choose…' : '—';
};

function ChoiceInput(props: InputProps) {
  const { schema, field, onChange } = props;
  const choices = choicesOf(schema)!;
  const json = toJson(valueIn(props));
  const chosen = choices.findIndex(({ value }) => toJson(value) === json);
  return (
    <select
      {...field}
      value={String(chosen)}
      onChange={(event) => onChange({ value: choices[Number(event.currentTarget.value)]?.value })}
    >
      <option value="-1">{nothing(props, String)}</option>
      {choices.map(({ label }, at) => (
        <option value={String(at)}>{label}</option>
      ))}
    </select>
  );
}

function BooleanInput(props: InputProps) {
  const { field, onChange } = props;
  const value = valueIn(props);
  return (
    <select
      {...field}
      value={typeof value === 'boolean' ? String(value) : ''}
      onChange={({ currentTarget: { value: text } }) =>
        onChange({ value: text === '' ? undefined : text === 'true' })
      }
    >
      <option value="">{nothing(props, (value) => (value === true ? 'yes' : 'no'))}</option>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>
  );
}

/** As placeholder: what counts when nothing is entered. */
const placeholderOf = ({ default: fallback }: JsonSchema): string => {
  if (fallback === undefined || fallback === '') return '';
  return `${typeof fallback === 'string' ? fallback : toJson(fallback)} (default)`;
};

/** Text, because a number field changes digits. */
function NumberInput({ schema, holder, name, field, onChange }: InputProps) {
  const [text, setText] = useState(() => memberText(holder, name));
  return (
    <input
      {...field}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      placeholder={placeholderOf(schema)}
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        onChange(enteredNumber(event.currentTarget.value));
      }}
    />
  );
}

function ListInput(props: InputProps) {
  const { schema, root, field, onChange } = props;
  const isNumbers = itemKind(schema, root) === 'number';
  const [text, setText] = useState(() => {
    const value = valueIn(props);
    return Array.isArray(value) ? value.map((_, at) => writtenText(value, at)).join('\n') : '';
  });
  return (
    <textarea
      {...field}
      rows={3}
      placeholder={placeholderOf(schema) || 'One per line'}
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        const lines = event.currentTarget.value.replace(/\n+$/, '').split('\n');
        if (lines.length === 1 && lines[0] === '') return onChange({ value: undefined });
        onChange({ value: isNumbers ? enteredNumbers(lines) : lines });
      }}
    />
  );
}

/** Names of texts that are often long. */
const longNames = /content|text|body|markdown|code|script|instruction|prompt|message|sql/i;

function TextInput({ schema, holder, name, isRequired, field, onChange }: InputProps) {
  const common = {
    ...field,
    spellcheck: false,
    autocomplete: 'off',
    placeholder: placeholderOf(schema),
    value: memberText(holder, name),
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ value: value === '' && !isRequired ? undefined : value }),
  } as const;
  if (schema['writeOnly'] === true || schema['format'] === 'password')
    return <input {...common} type="password" autocomplete="new-password" />;
  const isShort = Number(schema['maxLength'] ?? Infinity) <= 200;
  return longNames.test(name) && !isShort ? (
    <textarea {...common} rows={3} />
  ) : (
    <input {...common} type="text" />
  );
}

function JsonInput(props: InputProps) {
  const { schema, field, onChange } = props;
  const [text, setText] = useState(() => {
    const value = valueIn(props);
    return value === undefined ? '' : toJson(value, 2);
  });
  const [isJson, setIsJson] = useState(true);
  const enter = (next: string): void => {
    setText(next);
    if (next.trim() === '') {
      setIsJson(true);
      return onChange({ value: undefined });
    }
    try {
      const { value } = parseMember('value', next);
      setIsJson(true);
      onChange({ value, ...(typeof value === 'number' && enteredNumber(next)) });
    } catch {
      setIsJson(false);
      // Where any value is allowed, words are a text.
      onChange({ value: next });
    }
  };
  return (
    <>
      <textarea
        {...field}
        rows={3}
        spellcheck={false}
        placeholder={placeholderOf(schema) || 'JSON'}
        value={text}
        onInput={(event) => enter(event.currentTarget.value)}
      />
      <span class="hint">{isJson ? '' : 'This is no JSON, so it is sent as a text.'}</span>
    </>
  );
}
