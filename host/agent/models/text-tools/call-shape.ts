import { bareName, type FoundCall, type Tools } from './format.ts';
import { parseLenient, type JsonValue } from './lenient-json.ts';
import { keepWritten, toJson } from '../../../core/documents/written-numbers.ts';

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
const callId =
  /^(?:(?:call|toolu|tool|chatcmpl|functions?)[\w.:-]*|(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z\d]{9}|[\da-f]{8}-[\da-f-]{27})$/;
function isCallType(type: unknown): boolean {
  return /^(?:function|tool|tool_use|tool_call|function_call)$/.test(String(type));
}
function isCallId(value: unknown): boolean {
  return typeof value === 'string' && (callId.test(value) || /^\d+$/.test(value));
}
/** Metadata around a call. Ignored only with its usual values, since a tool may have a parameter of the same name. */
const envelope: { readonly [key: string]: (value: unknown) => boolean } = {
  type: isCallType,
  role: (value) => value === 'assistant',
  id: isCallId,
  call_id: isCallId,
  tool_call_id: isCallId,
  index: (value) => Number.isInteger(value),
};

/** Keys that wrap one or several calls: `{"tool_call": {…}}`. */
const wrappers = [
  'tool_call',
  'tool_calls',
  'function_call',
  'function_calls',
  'toolCall',
  'toolCalls',
  'functionCall',
  'functionCalls',
  'tool_use',
  'call',
  'calls',
  'action',
  'actions',
];

type Fields = { readonly [key: string]: unknown };

/** A call whose name is known. It must not run unless its arguments are one object that preserves everything written. */
export function callOf(name: string, { value, loss }: JsonValue): FoundCall {
  const args = value === null ? {} : value;
  const problem = isObject(args) ? loss : `its arguments are ${kindOf(args)}, and must be one JSON object`;
  return { name, arguments: toJson(args), ...(problem !== undefined && { problem }) };
}

/**
 * The calls in a JSON value: `{name, arguments}` and its variants, OpenAI's `{function: {…}}` and
 * `{tool_calls: […]}`, `{tool_call: {…}}`, or a list of them. Undefined for anything else, especially a tool's own schema.
 * `bare` also takes `{name}` alone, and `{name, path: "a"}`, whose other keys are the arguments. Any other
 * content of a value prevents its calls from running.
 */
export function callsOf(read: JsonValue, tools: Tools, bare: boolean): FoundCall[] | undefined {
  const calls = callsIn(read.value, tools, bare);
  return read.loss === undefined ? calls : calls && withProblem(calls, read.loss);
}

function callsIn(value: unknown, tools: Tools, bare: boolean): FoundCall[] | undefined {
  if (Array.isArray(value)) {
    const items = value.some(isToolUse) ? value.filter((item) => !isSaid(item)) : value;
    const calls = items.map((item: unknown) => callsIn(item, tools, bare));
    return items.length > 0 && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  const nested = isMessage(value) ? 'content' : wrappers.find((key) => isNested(value[key]));
  const inside = nested === undefined ? undefined : callsIn(value[nested], tools, bare);
  if (inside) return withRest(inside, value, [nested!]);
  if (isObject(value['function'])) return ofFunction(value, value['function'], tools, bare);
  return named(value, tools, bare) ?? byName(value, tools, bare);
}

/** An Anthropic message, `{role: "assistant", content: [{type: "text", …}, {type: "tool_use", …}]}`. */
const isMessage = ({ role, content }: Fields): boolean =>
  role === 'assistant' && Array.isArray(content) && content.some(isToolUse);
const isToolUse = (block: unknown): boolean => isObject(block) && block['type'] === 'tool_use';
const isSaid = (block: unknown): boolean =>
  isObject(block) && /^(?:text|thinking|redacted_thinking)$/.test(String(block['type']));

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** `{function: {name, arguments}}`, and `{function: {name}, arguments}`. */
function ofFunction(value: Fields, inner: Fields, tools: Tools, bare: boolean): FoundCall[] | undefined {
  const outside = argumentKeys.filter((key) => key in value && !(key in inner));
  const moved = Object.fromEntries(outside.map((key) => [key, value[key]]));
  const calls = callsIn({ ...inner, ...moved }, tools, bare);
  return calls && withRest(calls, value, ['function', ...outside]);
}

function named(value: Fields, tools: Tools, bare: boolean): FoundCall[] | undefined {
  const names = nameKeys.filter((key) => typeof value[key] === 'string' && value[key] !== '');
  const nameKey = names.find((key) => tools.has(bareName(value[key] as string))) ?? names[0];
  if (nameKey === undefined) return undefined;
  const name = bareName(value[nameKey] as string);
  const argumentKey = argumentKeys.find((key) => key in value);
  if (argumentKey === undefined) return bare ? [flat(name, value, nameKey, tools)] : undefined;
  const args = toArguments(value[argumentKey]);
  if (isSchema(args.value)) return undefined;
  // JSON that isn't a call, such as an entry of a list.
  if (!bare && (!isObject(args.value) || 'description' in value)) return undefined;
  return withRest([callOf(name, args)], value, [nameKey, argumentKey], tools.properties(name));
}

/** `{"name": "wipe", "only": "tmp"}`: all other keys are the arguments. */
function flat(name: string, value: Fields, nameKey: string, tools: Tools): FoundCall {
  const properties = tools.properties(name) ?? {};
  const args = Object.entries(value).filter(
    ([key, item]) => key !== nameKey && (key in properties || !isEnvelope(key, item, value)),
  );
  return callOf(name, { value: keepWritten(value, Object.fromEntries(args)) });
}

/** `{"read_file": {"path": "a"}}`: only for known names. */
function byName(value: Fields, tools: Tools, bare: boolean): FoundCall[] | undefined {
  const entries = Object.entries(value);
  const call = entries.find(([key, item]) => tools.has(key) && isObject(item));
  if (!call || (entries.length > 1 && !bare)) return undefined;
  return withRest([callOf(call[0], { value: call[1] })], value, [call[0]]);
}

/** Arguments may be JSON inside a string, or null for none. */
function toArguments(value: unknown): JsonValue {
  if (value === null || value === '') return { value: {} };
  return (typeof value === 'string' && parseLenient(value)) || { value };
}

/** Marks the calls with a problem when `value` holds anything else, which would be lost. */
function withRest(
  calls: FoundCall[],
  value: Fields,
  used: readonly string[],
  properties: object = {},
): FoundCall[] {
  const rest = Object.entries(value).filter(
    ([key, item]) =>
      !used.includes(key) && !isEmpty(item) && (key in properties || !isEnvelope(key, item, value)),
  );
  if (rest.length === 0) return calls;
  const keys = rest.map(([key]) => `"${key}"`).join(', ');
  return withProblem(
    calls,
    `${keys} is outside its arguments, and everything for the tool belongs inside them`,
  );
}

export const withProblem = (calls: readonly FoundCall[], problem: string): FoundCall[] =>
  calls.map((call) => ({ problem, ...call }));

/** Next to a `type` of a call, an id may be any text. */
const isEnvelope = (key: string, value: unknown, { type }: Fields): boolean =>
  Object.hasOwn(envelope, key) &&
  (envelope[key]!(value) || (key.endsWith('id') && typeof value === 'string' && isCallType(type)));

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const isSchema = (value: unknown): boolean => {
  const { type, properties } = (value ?? {}) as { type?: unknown; properties?: unknown };
  return type === 'object' && isObject(properties);
};

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
