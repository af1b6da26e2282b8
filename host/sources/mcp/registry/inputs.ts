import type { RegistryInput } from './entry.ts';

/** The inputs of a registry entry, which a person fills in before the server starts. */
export interface RequestedInput extends RegistryInput {
  /** Its name for `--env`, `--header` or `--arg`. */
  readonly key: string;
  readonly place: 'variable' | 'header' | 'argument';
  /** Without a value, the value of this variable when the server starts. */
  readonly variable: string;
}

/** By `RequestedInput.key`; several where an argument may be repeated. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** A text of a command line, a variable or a header, with the inputs that it contains. */
export interface Slot {
  readonly input: RegistryInput;
  /** The input for the whole text, or for each `{name}` in its value. */
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

/** The resulting texts; none when something optional is left out. */
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

/** Whether a person has to provide a value before the server works. */
export const isOpen = (wanted: RequestedInput, answers: Answers): boolean =>
  valuesOf(wanted, answers)[0] === `\${${wanted.variable}}`;

/** Why a value is invalid, or undefined. A reference to a variable is checked when the server starts. */
export function wrongValue({ choices, format }: RegistryInput, value: string): string | undefined {
  if (value.includes('${')) return undefined;
  if (choices !== undefined && choices.length > 0 && !choices.includes(value))
    return `must be one of ${choices.join(', ')}`;
  if (format === 'number' && (value.trim() === '' || !Number.isFinite(Number(value))))
    return 'must be a number';
  if (format === 'boolean' && value !== 'true' && value !== 'false') return 'must be true or false';
  return undefined;
}
