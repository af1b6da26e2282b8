import type { JsonObject } from '../../../api/result.ts';
import { oddDefaultIn, referenceHint, referencePattern } from '../../../core/documents/interpolate.ts';
import { pointerTo } from '../../../core/documents/pointer.ts';
import { isHeaderName, isReservedHeader } from '../../../core/http/headers.ts';
import type { WrittenRequest } from '../../../formats/http-request.ts';
import { parametersIn, parseRequestText, RequestRefusal, type RequestText } from './request-text.ts';

/** A request whose texts are parsed. */
export interface LoadedRequest {
  readonly method: NonNullable<WrittenRequest['method']>;
  /** Scheme and host, as written: `https://api.example.com`, `${BASE_URL}`. */
  readonly server: string;
  /** The address as written. */
  readonly address: string;
  /** What is between the slashes of the path. */
  readonly segments: readonly RequestText[];
  readonly query: readonly QueryEntry[];
  readonly headers: readonly { readonly name: string; readonly value: RequestText }[];
  readonly body: RequestBody | undefined;
  /** Every text that may hold `${NAME}`. */
  readonly texts: readonly string[];
}

/** `isPasted`: it stands in the address itself, where it is encoded already and a list is joined by commas. */
export interface QueryEntry {
  readonly name: string;
  readonly value: RequestText;
  readonly isPasted: boolean;
}

export type RequestBody =
  | { readonly kind: 'json'; readonly json: JsonTemplate }
  | { readonly kind: 'form'; readonly json: JsonTemplate }
  | { readonly kind: 'text'; readonly text: RequestText };

/** JSON with texts that are parsed. */
export type JsonTemplate =
  | { readonly text: RequestText }
  | { readonly items: readonly JsonTemplate[] }
  | { readonly members: readonly (readonly [name: string, value: JsonTemplate])[] }
  | { readonly constant: unknown };

/** Its parameters, and those of them that always have a value. */
export interface DeclaredParameters {
  readonly names: ReadonlySet<string>;
  readonly given: ReadonlySet<string>;
}

const server = new RegExp(
  String.raw`^(?:https?://(?:${referencePattern}|[^/?#\s\\])+|${referencePattern}(?=[/?#]|$))`,
  'i',
);

/** Throws RequestRefusal for a request in which a value could choose the server, and for what can't be sent. */
export function loadRequest(written: WrittenRequest, parameters: DeclaredParameters): LoadedRequest {
  const { method = 'GET', url, query = {}, headers = {}, text } = written;
  const texts: string[] = [];
  const parse = (from: string, pointer: string): RequestText => {
    texts.push(from);
    const odd = oddDefaultIn(from);
    if (odd !== undefined)
      throw new RequestRefusal(
        pointer,
        'no-reference',
        `${odd} is not a reference to a variable`,
        referenceHint,
      );
    return parseRequestText(from, pointer, parameters.names);
  };
  const address = url.trim().replace(/#.*$/s, '');
  const head = serverOf(address);
  const [path = '', ...search] = address.slice(head.length).split('?');
  const segments = path.split('/').map((segment) => parse(segment, '/url'));
  for (const name of segments.flatMap(parametersIn))
    if (!parameters.given.has(name))
      throw new RequestRefusal(
        '/url',
        'optional-in-path',
        `"${name}" can be missing, and the path needs it`,
        'add required: true or a default to the parameter',
      );
  texts.push(head);
  return {
    method,
    server: head,
    address,
    segments,
    query: [
      ...pairsOf(search.join('?')).map(([name, value]) => ({
        name,
        value: parse(value, '/url'),
        isPasted: true,
      })),
      ...Object.entries(query).map(([name, value]) => ({
        name,
        value: parse(value, `/query${pointerTo(name)}`),
        isPasted: false,
      })),
    ],
    headers: Object.entries(headers).map(([name, value]) => {
      checkHeader(name, `/headers${pointerTo(name)}`);
      return { name, value: parse(value, `/headers${pointerTo(name)}`) };
    }),
    body: loadBody(written, method, parse),
    texts: text === undefined ? texts : [...texts, text],
  };
}

function serverOf(address: string): string {
  const [head] = server.exec(address) ?? [];
  if (head === undefined)
    throw new RequestRefusal(
      '/url',
      'wrong-format',
      'the address must begin with https://, http:// or ${NAME}, and after ${NAME} comes /',
    );
  if (head.includes('{{'))
    throw new RequestRefusal(
      '/url',
      'value-in-host',
      'a value would choose the server that gets the request',
      'write the server out, or take it from a variable: ${NAME}',
    );
  if (head.includes('@'))
    throw new RequestRefusal(
      '/url',
      'credentials-in-url',
      'an address with a user or password is not requested',
      'put them into a header: Authorization: Basic ${NAME}',
    );
  return head;
}

/** "a=1&b=2" → [["a", "1"], ["b", "2"]], as they are written. */
const pairsOf = (search: string): readonly (readonly [string, string])[] =>
  search === ''
    ? []
    : search.split('&').map((pair) => {
        const at = pair.indexOf('=');
        return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      });

function checkHeader(name: string, pointer: string): void {
  if (isHeaderName(name) && !isReservedHeader(name)) return;
  throw new RequestRefusal(
    pointer,
    'bad-header',
    `the header ${JSON.stringify(name)} can't be set: its name is not valid, or Pegboard sets it itself`,
  );
}

type Parse = (from: string, pointer: string) => RequestText;

function loadBody(
  { json, form, text }: WrittenRequest,
  method: LoadedRequest['method'],
  parse: Parse,
): RequestBody | undefined {
  const ways = Object.entries({ json, form, text }).flatMap(([way, body]) =>
    body === undefined ? [] : [way],
  );
  const [way, second] = ways;
  if (way === undefined) return undefined;
  if (second !== undefined)
    throw new RequestRefusal(
      pointerTo(second),
      'several-bodies',
      `"${way}" and "${second}" both are the body; only one of json, form and text may be`,
    );
  if (method === 'GET' || method === 'HEAD')
    throw new RequestRefusal(pointerTo(way), 'body-of-get', `a ${method} request has no body`);
  if (text !== undefined) return { kind: 'text', text: parse(text, '/text') };
  return way === 'json'
    ? { kind: 'json', json: loadJson(json, '/json', parse) }
    : { kind: 'form', json: loadJson(form, '/form', parse) };
}

function loadJson(value: unknown, pointer: string, parse: Parse): JsonTemplate {
  if (typeof value === 'string') return { text: parse(value, pointer) };
  if (Array.isArray(value))
    return { items: value.map((item, index) => loadJson(item, pointer + pointerTo(index), parse)) };
  if (typeof value !== 'object' || value === null) return { constant: value };
  return {
    members: Object.entries(value as JsonObject).map(
      ([name, member]) => [name, loadJson(member, pointer + pointerTo(name), parse)] as const,
    ),
  };
}
