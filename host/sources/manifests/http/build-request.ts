import type { JsonObject } from '../../../api/result.ts';
import {
  memberJson,
  rememberNumber,
  toJson,
  writtenNumber,
  writtenText,
} from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
import { isHeaderValue } from '../../../core/http/headers.ts';
import type { JsonTemplate, LoadedRequest, QueryEntry, RequestBody } from './load-request.ts';
import { wholeParameter, type RequestText } from './request-text.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** A request with all its values. */
export interface BuiltRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** What becomes of a text of the manifest: `encode` is for everything in it but a `${NAME}` that stays. */
export type Fill = (literal: string, encode: Encode) => string;
type Encode = (text: string) => string;

interface Values {
  readonly args: JsonObject;
  readonly fill: Fill;
}

const asItIs: Encode = (text) => text;

/** Throws PEG_INVALID_ARGUMENTS for values that have no place in the request. */
export function buildRequest(request: LoadedRequest, args: JsonObject, fill: Fill): BuiltRequest {
  const values = { args, fill };
  const server = fill(request.server, asItIs).replace(/\/+$/, '');
  const path = request.segments.map((segment) => segmentOf(segment, values)).join('/');
  const query = request.query.flatMap((entry) => pairsOf(entry, values)).join('&');
  const headers = request.headers.flatMap(({ name, value }) => {
    const text = textOf(value, values);
    if (text === undefined) return [];
    if (!isHeaderValue(text)) throw refuse(`the header ${name} can't hold line ends or these characters`);
    return [[name, text] as const];
  });
  const has = (name: string): boolean => headers.some(([other]) => other.toLowerCase() === name);
  const body = request.body && bodyOf(request.body, values);
  const type = body === undefined || has('content-type') ? undefined : types[request.body!.kind];
  return {
    url: `${server}${path}${query === '' ? '' : `?${query}`}`,
    headers: type === undefined ? headers : [...headers, ['Content-Type', type]],
    ...(body !== undefined && { body }),
  };
}

const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;

/** A value is one segment: it can't lead to another path. */
function segmentOf(segment: RequestText, values: Values): string {
  const text = textOf(segment, values, encodeURIComponent, asItIs) ?? '';
  const holds = segment.some((part) => 'parameter' in part);
  if (holds && /^(?:\.|%2e){0,2}$/i.test(text))
    throw refuse(
      `${text === '' ? 'an empty value' : `"${decodeURIComponent(text)}"`} is not a part of a path`,
    );
  return text;
}

function pairsOf({ name, value, isPasted }: QueryEntry, values: Values): readonly string[] {
  if (isPasted) {
    const text = textOf(value, values, encodeURIComponent, asItIs);
    return text === undefined ? [] : [text === '' && value.length === 0 ? name : `${name}=${text}`];
  }
  const whole = wholeParameter(value);
  if (whole !== undefined) return formPairs(name, values.args, whole);
  const text = textOf(value, values, encodeURIComponent);
  return text === undefined ? [] : [`${encodeURIComponent(name)}=${text}`];
}

/** Undefined when a value is missing. `encodeLiteral` is for what the manifest says. */
function textOf(
  text: RequestText,
  { args, fill }: Values,
  encode: Encode = asItIs,
  encodeLiteral: Encode = encode,
): string | undefined {
  const parts: string[] = [];
  for (const part of text) {
    if ('literal' in part) parts.push(fill(part.literal, encodeLiteral));
    else if (isMissing(args[part.parameter])) return undefined;
    else parts.push(valueText(args, part.parameter, encode));
  }
  return parts.join('');
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** A list is joined by commas; an object is JSON. */
function valueText(holder: object, key: string | number, encode: Encode): string {
  const value = (holder as { readonly [key: string | number]: unknown })[key];
  if (Array.isArray(value)) return value.map((_, index) => valueText(value, index, encode)).join(',');
  const text = typeof value === 'object' && value !== null ? toJson(value) : writtenText(holder, key);
  if (!text.isWellFormed()) throw refuse('a value holds half of a character');
  return encode(text);
}

/** "tags=a&tags=b" for a list, "filter[state]=open" for an object. */
function formPairs(name: string, holder: object, key: string | number): readonly string[] {
  const value = (holder as { readonly [key: string | number]: unknown })[key];
  if (isMissing(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      formPairs(typeof item === 'object' ? `${name}[${index}]` : name, value, index),
    );
  if (typeof value === 'object')
    return Object.keys(value as object).flatMap((member) =>
      formPairs(`${name}[${member}]`, value as object, member),
    );
  return [`${encodeURIComponent(name)}=${valueText(holder, key, encodeURIComponent)}`];
}

function bodyOf(body: RequestBody, values: Values): string | undefined {
  if (body.kind === 'text') return textOf(body.text, values);
  const holder: Record<string, unknown> = {};
  put(holder, 'body', body.json, values);
  if (body.kind === 'json') return memberJson(holder, 'body');
  const parts = holder['body'];
  if (typeof parts !== 'object' || parts === null) return undefined;
  return Object.keys(parts)
    .flatMap((name) => formPairs(name, parts, name))
    .join('&');
}

/** Sets `holder[key]`, unless its value is missing. */
function put(holder: object, key: string, template: JsonTemplate, values: Values): void {
  const set = (value: unknown): void => {
    Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
  };
  if ('constant' in template) return set(template.constant);
  if ('items' in template) {
    const items: unknown[] = [];
    for (const item of template.items) put(items, String(items.length), item, values);
    return set(items);
  }
  if ('members' in template) {
    const members = {};
    for (const [name, member] of template.members) put(members, name, member, values);
    return set(members);
  }
  const whole = wholeParameter(template.text);
  if (whole === undefined) {
    const text = textOf(template.text, values);
    if (text !== undefined) set(text);
  } else if (values.args[whole] !== undefined) {
    set(values.args[whole]);
    const written = writtenNumber(values.args, whole);
    if (written !== undefined) rememberNumber(holder, key, written);
  }
}

const refuse = (why: string): PegboardError =>
  new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The request can't be sent with these values: ${asSentence(why)}`,
  );
