import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { JsonObject } from '../../../api/result.ts';
import { hasReference } from '../../../core/documents/interpolate.ts';
import { messageOf } from '../../../core/errors.ts';
import { isObject } from '../transport/rpc-message.ts';

export interface ClientContext {
  readonly userHome: string;
  readonly project: string;
  /** Which of `$NAME` and `${NAME}` are variables to this client; the others are plain text. */
  readonly variables?: 'braces' | 'bare' | undefined;
  /** Defaults of the values that VS Code asks for, by their ids. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Reads the members of one entry, and records those that were not taken over. */
export interface EntryReader {
  /** The first of these members that exists. */
  take(...keys: string[]): unknown;
  text(...keys: string[]): string | undefined;
  texts(...keys: string[]): string[] | undefined;
  map(...keys: string[]): Record<string, string>;
  /** Variables from a file that the entry names. */
  variablesOfFile(...keys: string[]): Record<string, string>;
  /** A reader for the members of a nested object. The caller reports what it loses. */
  within(part: JsonObject): EntryReader;
  /** Records something that is left out: "cwd (not a text)". */
  lose(what: string): void;
  /** What couldn't be converted: arguments of `lose`, and members that weren't taken, except `meaningless` ones. */
  lost(meaningless: ReadonlySet<string>): readonly string[];
  /** References that are plain text to the client, and would be variables here. */
  strange(): readonly string[];
}

export function readerOf(
  entry: JsonObject,
  context: ClientContext,
  strange = new Set<string>(),
): EntryReader {
  const used = new Set<string>();
  const dropped: string[] = [];
  const lose = (what: string): void => void dropped.push(what);
  const ours = (value: string): string => toOurVariables(value, context, strange);
  const keyOf = (keys: readonly string[]): string | undefined =>
    keys.find((key) => Object.hasOwn(entry, key) && entry[key] !== undefined && entry[key] !== null);
  /** Under its name in the file. A synonym next to it is not used, and is reported. */
  const named = (keys: readonly string[]): readonly [key: string, value: unknown] => {
    const key = keyOf(keys);
    if (key === undefined) return ['', undefined];
    used.add(key);
    return [key, entry[key]];
  };
  const textOf = (key: string, value: unknown): string | undefined => {
    if (typeof value === 'string') return value === '' ? undefined : ours(value);
    if (value !== undefined) lose(`${key} (not a text)`);
    return undefined;
  };
  return {
    take: (...keys) => named(keys)[1],
    text: (...keys) => textOf(...named(keys)),
    texts(...keys) {
      const [key, value] = named(keys);
      if (Array.isArray(value))
        return (value as unknown[]).flatMap((item, at) => scalar(item, `${key}[${at}]`, lose, ours));
      if (value !== undefined) lose(`${key} (not a list)`);
      return undefined;
    },
    map(...keys) {
      const [key, value] = named(keys);
      if (value !== undefined && !isObject(value)) lose(`${key} (not an object)`);
      const members = Object.entries(isObject(value) ? value : {});
      return Object.fromEntries(
        members.flatMap(([name, item]) =>
          scalar(item, `${key}.${name}`, lose, ours).map((text) => [name, text] as const),
        ),
      );
    },
    variablesOfFile(...keys) {
      const [key, value] = named(keys);
      const path = textOf(key, value);
      if (path === undefined) return {};
      try {
        const read = Object.entries(parseEnv(readFileSync(resolve(context.project, path), 'utf8')));
        for (const [, text = ''] of read) if (hasReference(text)) noteReferences(text, strange);
        return Object.fromEntries(read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
      } catch (cause) {
        lose(`${key} (${messageOf(cause)})`);
        return {};
      }
    },
    within: (part) => readerOf(part, context, strange),
    lose,
    lost: (meaningless) => [
      ...Object.keys(entry).filter((key) => !used.has(key) && !meaningless.has(key)),
      ...dropped,
    ],
    strange: () => [...strange],
  };
}

/** One text, or none with a report. */
function scalar(
  value: unknown,
  place: string,
  lose: (what: string) => void,
  ours: (text: string) => string,
): string[] {
  if (typeof value === 'string') return [ours(value)];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  lose(`${place} (not a text)`);
  return [];
}

const placeholder = /\$\{([^{}]*)\}|\{env:([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;
const variableName = /^[A-Za-z_]\w*$/;

/**
 * `${env:NAME}` is `${NAME}` here, and a value that VS Code would ask for is a variable to be set, or its default. What
 * reads as a variable here alone, or is a placeholder that is not known, goes into `strange`.
 */
function toOurVariables(value: string, context: ClientContext, strange: Set<string>): string {
  const { userHome, project, variables, inputs } = context;
  return value.replaceAll(placeholder, (whole, inner?: string, env?: string, bare?: string) => {
    if (env !== undefined) return `\${${env}}`;
    if (bare !== undefined) return variables === 'bare' ? `\${${bare}}` : whole;
    const [kind, rest] = splitOnce(inner ?? '');
    if (inner === 'workspaceFolder') return project;
    if (inner === 'userHome') return userHome;
    if (kind === 'env' && variableName.test(rest ?? '')) return `\${${rest}}`;
    if (kind === 'input' && rest !== undefined) {
      const preset = inputs.get(rest);
      return `\${${rest.toUpperCase().replaceAll(/\W/g, '_')}${preset === undefined ? '' : `:-${preset}`}}`;
    }
    if (variables === undefined || !hasReference(whole)) strange.add(whole);
    return whole;
  });
}

const splitOnce = (text: string): readonly [string, string?] => {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

function noteReferences(text: string, strange: Set<string>): void {
  for (const [whole] of text.matchAll(/\$\{[^{}]*\}/g)) if (hasReference(whole)) strange.add(whole);
}
