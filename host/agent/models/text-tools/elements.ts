import { callOf, isObject, withProblem } from './call-shape.ts';
import { bareName, matchAt, skipSpace, type FoundCall, type Tools } from './format.ts';
import { parseLenient } from './lenient-json.ts';
import { callWith } from './typed-value.ts';

/** `<path>a</path>` */
export interface Element {
  readonly key: string;
  readonly text: string;
}

const nameKeys = new Set(['name', 'tool', 'tool_name', 'function', 'function_name']);
const argumentKeys = new Set(['arguments', 'args', 'parameters', 'params', 'input', 'tool_input']);
const envelope = new Set(['id', 'call_id', 'tool_call_id', 'type']);

/** Consecutive elements up to `limit`; undefined when there is anything else between them. */
export function readElements(text: string, from: number, limit: number): readonly Element[] | undefined {
  const body = text.slice(from, limit);
  const elements: Element[] = [];
  for (let at = skipSpace(body, 0); at < body.length;) {
    const opened = matchAt(/<([A-Za-z_][\w.-]*)>/, body, at);
    if (!opened) return undefined;
    const start = at + opened[0].length;
    const closing = `</${opened[1]!}>`;
    const end = body.indexOf(closing, start);
    if (end < 0) return undefined;
    elements.push({ key: opened[1]!, text: withoutFrame(body.slice(start, end)) });
    at = skipSpace(body, end + closing.length);
  }
  return elements;
}

/** `<name>read_file</name><arguments>{…}</arguments>`; the arguments may be elements too, or siblings of the name. */
export function callOfElements(elements: readonly Element[], tools: Tools): FoundCall | undefined {
  const named = elements.find(({ key, text }) => nameKeys.has(key) && /^\s*[A-Za-z_][\w.-]*\s*$/.test(text));
  if (!named) return undefined;
  const name = bareName(named.text);
  const rest = elements.filter((element) => element !== named && !envelope.has(element.key));
  const args = rest.find(({ key }) => argumentKeys.has(key) && !(key in (tools.properties(name) ?? {})));
  if (!args) return callWith(name, rest, tools);
  const call = callOfArguments(name, args.text, tools);
  if (!call || rest.length === 1) return call;
  const beside = rest.filter((element) => element !== args).map(({ key }) => `<${key}>`);
  return withProblem(
    [call],
    `${beside.join(', ')} is outside its arguments, and everything for the tool belongs inside them`,
  )[0];
}

function callOfArguments(name: string, text: string, tools: Tools): FoundCall | undefined {
  if (text.trim() === '') return callOf(name, { value: {} });
  const value = parseLenient(text.trim());
  if (value && isObject(value.value)) return callOf(name, value);
  const inner = readElements(text, 0, text.length);
  return inner && callWith(name, inner, tools);
}

/** Removes the line breaks around a value. */
const withoutFrame = (text: string): string => text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
