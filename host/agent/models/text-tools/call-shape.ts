import { bareName, type FoundCall, type Tools } from './format.ts';
import { parseLenient } from './lenient-json.ts';

const nameKeys = ['name', 'tool_name', 'tool', 'function_name', 'function', 'action', 'recipient_name', 'fn'];
const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
  'action_input',
  'kwargs',
];

/**
 * The calls that a JSON value means: `{name, arguments}` and its relatives, OpenAI's `{function: {…}}` and
 * `{tool_calls: […]}`, or a list of them. Undefined when it means anything else, a tool's own schema above all.
 * `bare` also takes `{name}` without arguments.
 */
export function callsOf(value: unknown, tools: Tools, bare: boolean): FoundCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((item: unknown) => callsOf(item, tools, bare));
    return value.length > 0 && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  const nested = value['tool_calls'] ?? value['function_call'];
  if (typeof nested === 'object' && nested !== null) return callsOf(nested, tools, bare);
  if (isObject(value['function'])) return callsOf(value['function'], tools, bare);

  const nameKey = nameKeys.find((key) => typeof value[key] === 'string' && value[key] !== '');
  if (nameKey === undefined) return byName(value, tools);
  if ('description' in value) return undefined;
  const argumentKey = argumentKeys.find((key) => key in value);
  if (argumentKey === undefined && !bare) return undefined;
  const args = argumentKey === undefined ? {} : toArguments(value[argumentKey]);
  if (args === undefined || isSchema(args)) return undefined;
  return [{ name: bareName(value[nameKey] as string), arguments: JSON.stringify(args) }];
}

/** `{"read_file": {"path": "a"}}`: only for a name that is known. */
function byName(value: { readonly [key: string]: unknown }, tools: Tools): FoundCall[] | undefined {
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0 || !tools.has(entry[0]) || !isObject(entry[1])) return undefined;
  return [{ name: entry[0], arguments: JSON.stringify(entry[1]) }];
}

/** Also as JSON inside a string, and null for none. */
function toArguments(value: unknown): object | undefined {
  if (value === null || value === '') return {};
  if (isObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  const parsed = parseLenient(value);
  return isObject(parsed) ? parsed : undefined;
}

const isSchema = (value: object): boolean => {
  const { type, properties } = value as { type?: unknown; properties?: unknown };
  return type === 'object' && isObject(properties);
};

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
