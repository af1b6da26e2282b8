import { keepWritten, mergeWritten, rememberNumber, writtenText } from 'pegboard/browser';

/** A value for a member, with how it was written if it is a number. */
export interface Entered {
  /** Undefined: the member is left out. */
  readonly value: unknown;
  readonly source?: string;
}

/** Without it numbers can only be sent as JavaScript writes them. */
const keepsDigits = 'rawJSON' in JSON;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number as JSON; other text stays text, which the host refuses with a reason. */
export function enteredNumber(text: string): Entered {
  const source = text.trim();
  if (source === '') return { value: undefined };
  if (!jsonNumber.test(source)) return { value: source };
  return { value: Number(source), ...(keepsDigits && { source }) };
}

/** A copy with one member set, whose other numbers stay as they were written. */
export function withMember(object: object, name: string, { value, source }: Entered): object {
  if (value === undefined) {
    const { [name]: _old, ...rest } = object as { readonly [name: string]: unknown };
    return keepWritten(object, rest);
  }
  const copy = mergeWritten(object, { [name]: value });
  if (source !== undefined) rememberNumber(copy, name, source);
  return copy;
}

export function enteredNumbers(lines: readonly string[]): readonly unknown[] {
  const entered = lines.map(enteredNumber);
  const list = entered.map(({ value }, at) => value ?? lines[at]);
  for (const [at, { source }] of entered.entries())
    if (source !== undefined) rememberNumber(list, String(at), source);
  return list;
}

/** A member as the text of a field. */
export function memberText(object: object, name: string): string {
  const value = (object as { readonly [name: string]: unknown })[name];
  return value === undefined || value === null ? '' : writtenText(object, name);
}
