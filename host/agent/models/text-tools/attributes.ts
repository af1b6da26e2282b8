import { callOf, isObject } from './call-shape.ts';
import { bareName, type FoundCall, type Tools } from './format.ts';
import { parseLenient } from './lenient-json.ts';
import { callWith } from './typed-value.ts';

/** ` name="read_file" path='a'`, as a part of a tag's pattern. */
export const attributes = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"(?:[^"\\]|\\.){0,4000}"|'[^']{0,4000}'))*`;

const nameKeys = new Set(['name', 'tool', 'tool_name', 'function', 'function_name']);
const argumentKeys = new Set(['arguments', 'args', 'parameters', 'params', 'input']);
const envelope = new Set(['id', 'call_id', 'tool_call_id', 'type', 'index']);

/** A call in a tag's attributes. */
export interface AttributedCall {
  readonly name: string;
  /** Attributes other than the call's name, id or kind. */
  readonly arguments: readonly { readonly key: string; readonly text: string }[];
}

/** `<tool_call name="read_file" path="a">`: undefined where no attribute is a name. */
export function readAttributes(tag: string): AttributedCall | undefined {
  const all = [...tag.matchAll(/\s([\w:-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g)].map(
    ([, key, double, single]) => ({ key: key!, text: unescaped(double ?? single!) }),
  );
  const named = all.find(({ key }) => nameKeys.has(key));
  if (!named || !/^[A-Za-z_][\w.-]*$/.test(named.text.trim())) return undefined;
  const rest = all.filter((one) => one !== named && !envelope.has(one.key));
  return { name: bareName(named.text), arguments: rest };
}

/** A call that is entirely in a tag's attributes: each is an argument, or one holds all of them as JSON. */
export function callOfAttributes({ name, arguments: rest }: AttributedCall, tools: Tools): FoundCall {
  const [only] = rest;
  if (
    rest.length === 1 &&
    only &&
    argumentKeys.has(only.key) &&
    !(only.key in (tools.properties(name) ?? {}))
  ) {
    const value = parseLenient(only.text);
    if (value && isObject(value.value)) return callOf(name, value);
  }
  return callWith(name, rest, tools);
}

const entities: { readonly [entity: string]: string } = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => entities[entity]!);
