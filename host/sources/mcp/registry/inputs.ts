import type { RegistryInput } from './entry.ts';

/** The inputs of a registry entry, which a person fills in before the server starts. */
export interface RequestedInput extends RegistryInput {
  /** What `--env`, `--header` or `--arg` calls it. */
  readonly key: string;
  readonly place: 'variable' | 'header' | 'argument';
  /** Without a value, the value of this variable when the server starts. */
  readonly variable: string;
}

/** By `RequestedInput.key`; more than one where an argument may be repeated. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** One text of a command line, a variable or a header, with what goes into it. */
export interface Slot {
  readonly input: RegistryInput;
  /** What goes into the whole, or into each `{name}` of its value. */
  readonly wanted: readonly RequestedInput[];
}

const part = /\{([^{}]+)\}/g;

/** `variable` names the variable for the input itself, or for a part of it. */
export function toSlot(
  input: RegistryInput,
  key: string,
  place: RequestedInput['place'],
  variable: (key: string) => string,
): Slot {
  const { value, variables = {} } = input;
  if (value === undefined) return { input, wanted: [{ ...input, key, place, variable: variable(key) }] };
  const names = [...new Set([...value.matchAll(part)].map(([, name]) => name!))];
  const wanted = names
    .filter((name) => Object.hasOwn(variables, name))
    .map((name): RequestedInput => {
      const one = variables[name]!;
      const isRequired = one.isRequired ?? input.isRequired ?? false;
      return { ...one, isRequired, key: name, place, variable: variable(name) };
    });
  return { input, wanted };
}

/** The texts that it becomes; none where something optional is left out. */
export function fillSlot({ input, wanted }: Slot, answers: Answers): readonly string[] {
  if (input.value === undefined) return valuesOf(wanted[0]!, answers);
  const values = new Map(wanted.map((one) => [one.key, valuesOf(one, answers)[0]]));
  if ([...values.values()].includes(undefined)) return [];
  return [input.value.replaceAll(part, (whole, name: string) => values.get(name) ?? whole)];
}

function valuesOf(wanted: RequestedInput, answers: Answers): readonly string[] {
  const given = answers.get(wanted.key);
  if (given) return given;
  const preset = wanted.value ?? (wanted.isSecret === true ? undefined : wanted.default);
  if (preset !== undefined) return [preset];
  return wanted.isRequired === true ? [`\${${wanted.variable}}`] : [];
}

/** Is it something that a person has to say before it works? */
export const isOpen = (wanted: RequestedInput, answers: Answers): boolean =>
  valuesOf(wanted, answers)[0] === `\${${wanted.variable}}`;

/** Why a value can't be this, or undefined. A reference to a variable is left to the start. */
export function wrongValue({ choices, format }: RegistryInput, value: string): string | undefined {
  if (value.includes('${')) return undefined;
  if (choices !== undefined && choices.length > 0 && !choices.includes(value))
    return `is one of ${choices.join(', ')}`;
  if (format === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) return 'is a number';
  if (format === 'boolean' && value !== 'true' && value !== 'false') return 'is true or false';
  return undefined;
}
