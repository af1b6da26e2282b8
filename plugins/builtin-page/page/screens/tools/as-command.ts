import { type JsonSchema, memberJson, toJson } from 'pegboard/browser';
import { kindOf, propertiesOf, resolve } from '../../form/schema.ts';

/** The command that makes the same call in a terminal, for sh. */
export function asCommand(program: string, id: string, args: object, schema: JsonSchema): string {
  const names = Object.keys(args);
  const isPlain = names.every((name) => /^[A-Za-z_][\w-]*$/.test(name) && isWritable(schema, args, name));
  if (!isPlain) return `${program} call ${id} --args ${quoted(toJson(args))}`;
  return [program, 'call', id, ...names.flatMap((name) => wordsOf(name, args))].join(' ');
}

/** Whether `key=value` is read as what it was. */
function isWritable(schema: JsonSchema, args: object, name: string): boolean {
  const value = (args as { readonly [name: string]: unknown })[name];
  const kind = kindOf(resolve(propertiesOf(schema)[name], schema), schema);
  if (Array.isArray(value)) return kind === 'list' && value.length > 0;
  if (typeof value === 'object') return value !== null && (kind === 'object' || kind === 'json');
  return kind !== 'json' && kind !== 'variants' && kind !== 'choice'
    ? true
    : typeof value === 'string' && kind === 'choice';
}

function wordsOf(name: string, args: object): readonly string[] {
  const value = (args as { readonly [name: string]: unknown })[name];
  if (Array.isArray(value)) return value.map((_, at) => quoted(`${name}=${textOf(value, String(at))}`));
  return [quoted(`${name}=${textOf(args, name)}`)];
}

function textOf(holder: object, name: string): string {
  const value = (holder as { readonly [name: string]: unknown })[name];
  return typeof value === 'string' ? value : memberJson(holder, name)!;
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
