import { refuse } from './refusal.ts';
import { limits, type CommandParameter } from './template.ts';

/** A value as the text that the program gets. Refuses what can't be an argument; `at` is where it stands. */
export function textOfValue(value: unknown, parameter: CommandParameter, at: number): string {
  const { name, type, enum: allowed } = parameter;
  checkType(value, name, type, at);
  if (allowed && !allowed.includes(value))
    refuse('not-in-enum', `${name}: ${JSON.stringify(value)} is none of ${JSON.stringify(allowed)}`, at);
  const text = String(value);
  if (text.includes('\0')) refuse('nul-byte', `${name}: a command's argument can't hold a NUL byte`, at);
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
        refuse('bad-value', `${name}: ${describe(value)} can't stand in a command`, at);
  }
}

/** One argument of a program, whole: the system takes no longer ones. */
export function checkLength(argument: string, name: string, at: number): void {
  if (argument.length * 3 < limits.argument) return;
  const bytes = Buffer.byteLength(argument);
  if (bytes >= limits.argument)
    refuse(
      'argument-too-long',
      `${name}: ${bytes} bytes, but one argument of a command holds at most ${limits.argument - 1}; pass long text through a file`,
      at,
    );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object'
    ? 'an object'
    : `the ${typeof value} ${JSON.stringify(value)?.slice(0, 40)}`;
}
