import { toJson } from 'pegboard';
import {
  credentialsIn,
  isHeaderName,
  isReservedHeader,
  type ManifestParameter,
  referencesIn,
  type WrittenRequest,
} from 'pegboard/kit';
import { hasCredential } from '../../homes/suspicious.ts';
import { describe, firstSentences, plainLine, plainText } from '../foreign-text.ts';
import { toId } from '../names.ts';
import type { LeftOutTool, PlannedTool } from '../tool-plan.ts';
import { toBody } from './body-parameters.ts';
import { isSecretHeader, type SecretCollector } from './collect-secrets.ts';
import { createList, entriesOf, type ParameterList } from './parameter-list.ts';
import { decodeText, piecesOf, readPair, splitSearch } from './read-form.ts';
import { UnusableRequest, type Pair, type RequestExample } from './request-example.ts';

export interface ExampleOptions {
  readonly secrets: SecretCollector;
  /** Values of `{{name}}` where nobody gives another. */
  readonly variables: ReadonlyMap<string, string>;
  readonly uniqueId: (wanted: string) => string;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** The connection sets it, or Postman makes a new one each time. */
const dropped = /^(?:accept-encoding|postman-token)$/i;

/**
 * A tool that sends the request again: what its query and body hold become parameters with these values, and secrets
 * become `${NAME}`. Throws UnusableRequest.
 */
export function exampleToTool(example: RequestExample, options: ExampleOptions): PlannedTool {
  const { secrets, uniqueId } = options;
  const method = example.method.toUpperCase();
  if (!methods.has(method))
    throw new UnusableRequest(`${plainLine(example.method)} requests are not supported`);
  const parameters = new Map<string, ManifestParameter>();
  const list = createList(parameters, new Map([...options.variables, ...(example.values ?? [])]));
  const { address, path, pairs, authorization } = splitUrl(example.url, secrets);
  const url = list.template(address, 'path');
  const query = entriesOf(pairs, 'query', list, secrets);
  const search = isMoved(pairs, query) ? pasted(pairs, query) : undefined;
  const isSent = ({ name }: Pair): boolean =>
    isHeaderName(name) && !isReservedHeader(name) && !dropped.test(name);
  const hasOwn = example.headers.some(({ name }) => /^authorization$/i.test(name));
  const given = [...(authorization && !hasOwn ? [authorization] : []), ...example.headers];
  const headers = joined(given.filter(isSent)).map((pair) => headerOf(pair, list, secrets));
  const reads = method === 'GET' || method === 'HEAD';
  if (example.body && reads)
    throw new UnusableRequest(`it is a ${method} request with a body, which can't be sent`);
  const body = example.body ? toBody(example.body, list, secrets) : {};
  const http: WrittenRequest = {
    ...(method !== 'GET' && { method: method as NonNullable<WrittenRequest['method']> }),
    url: search === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${search}`,
    ...(pairs.length > 0 && search === undefined && { query }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...body,
  };
  for (const [name, value] of headers)
    for (const variable of referencesIn(value)) secrets.named(variable, `the header ${name}`);
  for (const name of referencesIn(toJson(http))) secrets.named(name, 'the request');
  const shown = `${method} ${path}`;
  const title = plainLine(example.title);
  return {
    ...(example.folder !== undefined && { folder: example.folder }),
    manifest: {
      id: uniqueId(toId(example.name ?? '') || toId(`${method} ${wordsOf(path)}`)),
      name: firstSentences(title === '' ? shown : title, 120),
      description:
        describe(title, withoutSecrets(example.description), 300) || firstSentences(`Sends ${shown}`, 300),
      ...(parameters.size > 0 && { parameters: [...parameters.values()] }),
      http,
      ...(reads ? { readOnly: true } : { confirm: true }),
      ...(example.timeout !== undefined && { timeout: example.timeout }),
    },
    documentation: plainText(withoutSecrets(example.documentation), 4_000),
    notTaken: [
      ...(example.notTaken ?? []),
      ...remarksOn(example),
      ...(search === undefined && isMoved(pairs, query) ? [orderOf('query')] : []),
      ...(example.body?.kind === 'form' && isMoved(example.body.pairs, body.form!) ? [orderOf('form')] : []),
      ...given
        .filter((pair) => !isSent(pair))
        .map(({ name }) => ({
          what: `the header ${plainLine(name)}`,
          why: 'the connection sets it, or it is not valid',
        })),
    ],
  };
}

/** Whether a map has the pairs in another order: names like "10" come first in it. */
const isMoved = (pairs: readonly Pair[], map: object): boolean =>
  [...new Set(pairs.map(({ name }) => name))].join('&') !== Object.keys(map).join('&');

const orderOf = (place: string): LeftOutTool => ({
  what: `the order of its ${place}`,
  why: 'names that are numbers are sent first',
});

/** The query as a part of the address, where a value is no list and has no text around it. */
function pasted(pairs: readonly Pair[], query: { readonly [name: string]: string }): string | undefined {
  const isPlain = ({ name }: Pair): boolean => /^\{\{[\w-]+\}\}$/.test(query[name]!);
  return pairs.length === Object.keys(query).length && pairs.every(isPlain)
    ? pairs.map(({ name }) => `${encodeURIComponent(name)}=${query[name]}`).join('&')
    : undefined;
}

/** What the tool does in another way. */
function remarksOn({ body, ...rest }: RequestExample): readonly LeftOutTool[] {
  const made = new Set(toJson([body, rest.url, rest.headers]).match(/\{\{(?:\\u0001)?\s*\$\w+\s*\}\}/g));
  return [
    ...[...made].map((what) => ({
      what: what.replace('\\u0001', ''),
      why: 'Postman makes a new one each time: the tool has a parameter for it',
    })),
    ...(body?.kind === 'text' && body.text.includes('{{')
      ? [{ what: 'the quoting of its body', why: 'it is text, into which values are put as they are' }]
      : []),
  ];
}

/** Notes of people hold keys as well. */
const withoutSecrets = (text = ''): string => (hasCredential(text) ? '' : text);

interface SplitUrl {
  /** Without query and password; its secrets are `${NAME}`. */
  readonly address: string;
  /** For people: without scheme and secrets. */
  readonly path: string;
  readonly pairs: readonly Pair[];
  readonly authorization: Pair | undefined;
}

const inUrl = /^([a-z][a-z\d+.-]*:\/\/)(?:([^/?#@]*)@)?/i;

function splitUrl(written: string, secrets: SecretCollector): SplitUrl {
  const { address, search } = splitSearch(written.trimStart());
  // As curl and Postman send it.
  const whole = inUrl.test(address) || address.startsWith('${') ? address : `http://${address}`;
  const pieces = piecesOf(search);
  // What would be another text when it is written again stays in the address.
  const bare = pieces.filter((piece) => readPair(piece) === undefined);
  const [opening, scheme = '', credentials] = inUrl.exec(whole) ?? ['', ''];
  if (scheme !== '' && !/^https?:\/\/$/i.test(scheme))
    throw new UnusableRequest(`${scheme} addresses are not requested, only http:// and https://`);
  if (credentials?.includes('${'))
    throw new UnusableRequest('its address has a user or password from a variable: use a header instead');
  let plain = credentials === undefined ? whole : scheme + whole.slice(opening.length);
  const isOpen = (secret: string): boolean => !/\{\{|\$\{/.test(secret);
  for (const secret of credentialsIn('url', plain).filter(isOpen))
    plain = plain.replaceAll(secret, () => secrets.take('secret', secret, 'the address'));
  if (!/^https?:\/\/(?!https?:)[^/{:]|^(?:https?:\/\/)?\$\{/i.test(plain))
    throw new UnusableRequest('its address names no server');
  return {
    address: (bare.length === 0 ? plain : `${plain}?${bare.join('&')}`).replaceAll(' ', '%20'),
    path: plain.replace(/^https?:\/\//i, ''),
    pairs: pieces.flatMap((piece) => readPair(piece) ?? []),
    authorization:
      credentials === undefined
        ? undefined
        : { name: 'Authorization', value: `Basic ${base64(credentials)}` },
  };
}

function base64(credentials: string): string {
  const pair = credentials.includes(':') ? credentials : `${credentials}:`;
  return Buffer.from(decodeText(pair) ?? pair).toString('base64');
}

/** The last two words of a path that look like words, else the server. */
function wordsOf(path: string): string {
  const [host = '', ...words] = path.replaceAll(/\{\{.*?\}\}|\$\{.*?\}/g, ' ').split('/');
  const plain = words.filter((word) => /^[a-z][a-z._-]*$/i.test(word));
  return plain.length === 0 ? host : plain.slice(-2).join(' ');
}

/** A header that comes several times is one list. */
const joined = (pairs: readonly Pair[]): readonly Pair[] =>
  [...Map.groupBy(pairs, ({ name }) => name.toLowerCase()).values()].map((same) => ({
    ...same[0]!,
    value: same.map(({ value }) => value).join(/^cookie$/i.test(same[0]!.name) ? '; ' : ', '),
  }));

function headerOf(
  { name, value }: Pair,
  list: ParameterList,
  secrets: SecretCollector,
): readonly [string, string] {
  if (/[^\t\x20-\x7e]/.test(value))
    throw new UnusableRequest(
      `its header ${name} has letters outside of ASCII, which would arrive as others`,
    );
  if (value.includes('{{') || value.includes('${') || !isSecretHeader(name, value))
    return [name, list.template(value, 'header')];
  const use = `the header ${name}`;
  const [, scheme, secret] = /^(Bearer|Basic|Token|Digest|ApiKey)\s+(.+)$/is.exec(value.trim()) ?? [];
  if (secret === undefined) return [name, secrets.take(name.replace(/^x-/i, ''), value, use)];
  const suffix = scheme!.toLowerCase() === 'basic' ? 'basic-auth' : 'token';
  return [name, `${scheme} ${secrets.take(suffix, secret, use)}`];
}
