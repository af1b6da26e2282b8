import { toJson, writtenText } from '../../../../core/documents/written-numbers.ts';
import { refuse } from '../refusal.ts';
import { limits, type CommandParameter } from './template.ts';

/** The container of a value: the arguments, or a list. */
export interface Member {
  readonly holder: object;
  readonly key: string | number;
}

export const valueAt = ({ holder, key }: Member): unknown =>
  Object.hasOwn(holder, key) ? (holder as { readonly [key: string | number]: unknown })[key] : undefined;

/**
 * A value as the text that the program gets. Numbers are kept as written. Refuses what can't be an argument; `at` is
 * its position in the template.
 */
export function textOfValue(member: Member, parameter: CommandParameter, at: number): string {
  const value = valueAt(member);
  const { name, type, enum: allowed } = parameter;
  checkType(value, name, type, at);
  if (allowed && !allowed.includes(value))
    refuse('not-in-enum', `${name}: ${toJson(value)} is not one of ${toJson(allowed)}`, at);
  // The values of an enum were checked with the template.
  const text = allowed ? String(value) : writtenText(member.holder, member.key);
  if (text.includes('\0')) refuse('nul-byte', `${name}: a command's argument can't contain a NUL byte`, at);
  if (!text.isWellFormed())
    refuse('lone-surrogate', `${name}: it is not valid Unicode (half of a surrogate pair)`, at);
  checkLength(text, name, at);
  return text;
}

function checkType(value: unknown, name: string, type: CommandParameter['type'], at: number): void {
  switch (type) {
    case 'number':
    case 'integer':
      if (!(type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)))
        refuse('bad-value', `${name}: expected a finite ${type}, found ${describe(value)}`, at);
      return;
    case 'boolean':
      if (typeof value !== 'boolean')
        refuse('bad-value', `${name}: expected true or false, found ${describe(value)}`, at);
      return;
    default:
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
        refuse('bad-value', `${name}: ${describe(value)} can't be part of a command`, at);
  }
}

/** Checks the length of one complete argument: the system rejects longer ones. */
export function checkLength(argument: string, name: string, at: number): void {
  if (argument.length * 3 < limits.argument) return;
  const bytes = Buffer.byteLength(argument);
  if (bytes >= limits.argument)
    refuse(
      'argument-too-long',
      `${name}: ${bytes} bytes, but one argument of a command may have at most ${limits.argument - 1}; pass long text through a file`,
      at,
    );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${toJson(value)?.slice(0, 40)}`;
}
