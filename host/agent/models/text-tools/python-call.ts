import { bareName, skipSpace, type FoundCall, type Tools } from './format.ts';
import { callOf } from './call-shape.ts';
import { truncatedCall } from './truncated.ts';
import { duplicateKeyMessage, firstDuplicate } from './json-reader.ts';
import { readJson, type JsonValue } from './lenient-json.ts';

/** A call with the index after it, "cut" when the text ends in the middle, undefined when it's something else. */
type ReadPythonCall = { readonly call: FoundCall; readonly end: number } | 'cut' | undefined;

const literalStart = /[-\d.[{"']|True\b|False\b|None\b|true\b|false\b|null\b/y;

/**
 * `name(a=1, b="x")` with literals only: anything that would have to be evaluated is not a call. Positional arguments are
 * matched to the tool's parameters in order.
 */
function readPythonCall(text: string, from: number, tools: Tools): ReadPythonCall {
  const opening = /([A-Za-z_][\w.-]*)\s*\(/y;
  opening.lastIndex = from;
  const found = opening.exec(text);
  if (!found) return /^[\w.-]*\s*$/.test(text.slice(from, from + 80)) ? 'cut' : undefined;
  const name = bareName(found[1]!.replace(/\.call$/, ''));
  const names = Object.keys(tools.properties(name) ?? {});
  const entries: [string, unknown][] = [];
  let loss: string | undefined;
  let at = opening.lastIndex;
  for (;;) {
    at = skipSpace(text, at);
    if (/^[\w-]*\s*=?\s*[-\w.]*$/.test(text.slice(at, at + 200))) return 'cut';
    if (text[at] === ')') break;
    const keyword = /([A-Za-z_][\w-]*)\s*=(?!=)\s*/y;
    keyword.lastIndex = at;
    const named = keyword.exec(text);
    const key = named ? named[1]! : names[entries.length];
    if (key === undefined) return undefined;
    const value = readLiteral(text, named ? keyword.lastIndex : at);
    if (value === undefined || value === 'cut') return value;
    entries.push([key, value.value]);
    loss ??= value.loss;
    at = skipSpace(text, value.end);
    if (at >= text.length) return 'cut';
    if (text[at] === ',') at++;
    else if (text[at] !== ')') return undefined;
  }
  const duplicate = firstDuplicate(entries.map(([key]) => key));
  if (duplicate !== undefined) loss = duplicateKeyMessage(duplicate);
  const value = Object.fromEntries(entries);
  return { call: callOf(name, { value, ...(loss !== undefined && { loss }) }), end: at + 1 };
}

/** `f(a=1), g()` or `[f(a=1), g()]`, as many as there are. */
export function readPythonCalls(
  text: string,
  from: number,
  tools: Tools,
): { readonly calls: readonly FoundCall[]; readonly end: number } | 'cut' | undefined {
  let at = skipSpace(text, from);
  const bracket = text[at] === '[';
  if (bracket) at = skipSpace(text, at + 1);
  const calls: FoundCall[] = [];
  for (;;) {
    const read = readPythonCall(text, at, tools);
    if (read === undefined || read === 'cut') return read;
    calls.push(read.call);
    at = skipSpace(text, read.end);
    if (text[at] === ',' || (!bracket && text[at] === ';')) at = skipSpace(text, at + 1);
    else if (!bracket && !beginsCall(text, at, tools)) return { calls, end: read.end };
    if (bracket && text[at] === ']') return { calls, end: at + 1 };
    if (bracket && at >= text.length) return 'cut';
  }
}

/** Calls may follow each other on separate lines. */
function beginsCall(text: string, at: number, tools: Tools): boolean {
  const [, name] = /^([A-Za-z_][\w.-]*)\s*\(/.exec(text.slice(at, at + 200)) ?? [];
  return name !== undefined && tools.has(bareName(name));
}

/** A truncated call with the text that arrived. */
export function cutPythonCall(text: string, from: number): FoundCall[] {
  const bracket = text.lastIndexOf('(');
  const [, name] =
    /([A-Za-z_][\w.-]*)\s{0,20}$/.exec(text.slice(Math.max(from, bracket - 150), Math.max(from, bracket))) ??
    [];
  return name === undefined ? [] : [truncatedCall(bareName(name), text.slice(from))];
}

function readLiteral(text: string, from: number): (JsonValue & { readonly end: number }) | 'cut' | undefined {
  const prefix = /^[rbfut]{0,2}(?=["'])/i.exec(text.slice(from, from + 3))?.[0].toLowerCase() ?? '';
  const at = from + prefix.length;
  if (at >= text.length) return 'cut';
  literalStart.lastIndex = at;
  if (!literalStart.test(text)) return undefined;
  const read = prefix.includes('r') ? readRaw(text, at) : readJson(text, at);
  const isComputed = /[ft]/.test(prefix) && read && read !== 'cut' && String(read.value).includes('{');
  return isComputed ? { ...read, loss: `${text.slice(from, from + 80)} would have to be computed` } : read;
}

/** A raw string: its backslashes are literal. */
function readRaw(text: string, at: number): (JsonValue & { readonly end: number }) | 'cut' {
  const quote = text.startsWith(text[at]!.repeat(3), at) ? text[at]!.repeat(3) : text[at]!;
  const start = at + quote.length;
  for (let end = start; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text.startsWith(quote, end)) return { value: text.slice(start, end), end: end + quote.length };
  }
  return 'cut';
}

/** Calls line by line, with or without print() or a variable, as in Gemma's tool_code; undefined for anything else. */
export function readPythonProgram(body: string, tools: Tools): readonly FoundCall[] | undefined {
  const calls: FoundCall[] = [];
  for (const line of body.split(/\n(?=\S)/)) {
    const statement = line
      .trim()
      .replace(/^print\(([\s\S]*)\)$/, '$1')
      .replace(/^\w+\s*=\s*(?=[\w.]+\()/, '');
    if (statement === '') continue;
    const read = readPythonCalls(statement, 0, tools);
    if (!read || read === 'cut' || statement.slice(read.end).trim() !== '') return undefined;
    calls.push(...read.calls);
  }
  return calls;
}
