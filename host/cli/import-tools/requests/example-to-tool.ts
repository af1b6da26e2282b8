import { referencesIn } from '../../../core/documents/interpolate.ts';
import { isHeaderName, isReservedHeader } from '../../../core/http/headers.ts';
import { credentialsIn } from '../../../core/secrets/credentials.ts';
import type { WrittenRequest } from '../../../formats/http-request.ts';
import type { ManifestParameter } from '../../../formats/tool.ts';
import { hasCredential } from '../../import/suspicious.ts';
import { describe, firstSentences, plainLine, plainText } from '../foreign-text.ts';
import { toId } from '../names.ts';
import type { PlannedTool } from '../tool-plan.ts';
import { toBody } from './body-parameters.ts';
import { isSecretHeader, type SecretCollector } from './collect-secrets.ts';
import { createList, entriesOf, type ParameterList } from './parameter-list.ts';
import { UnusableRequest, type Pair, type RequestExample } from './request-example.ts';

export interface ExampleOptions {
  readonly secrets: SecretCollector;
  /** Values of `{{name}}` where nobody gives another. */
  readonly variables: ReadonlyMap<string, string>;
  readonly uniqueId: (wanted: string) => string;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** The connection sets them, or they say nothing about the request. */
const dropped = /^(?:accept-encoding|user-agent|postman-token|cache-control)$/i;

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
  const list = createList(parameters, options.variables);
  const { address, path, pairs, authorization } = splitUrl(example.url, secrets);
  const url = list.template(address, 'path');
  const query = entriesOf(pairs, 'query', list, secrets);
  const headers = [...(authorization ? [authorization] : []), ...example.headers].flatMap((pair) =>
    headerOf(pair, list, secrets),
  );
  const reads = method === 'GET' || method === 'HEAD';
  const body = example.body && !reads ? toBody(example.body, list, secrets) : {};
  const http: WrittenRequest = {
    ...(method !== 'GET' && { method: method as NonNullable<WrittenRequest['method']> }),
    url,
    ...(pairs.length > 0 && { query }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...body,
  };
  for (const [name, value] of headers)
    for (const variable of referencesIn(value)) secrets.named(variable, `the header ${name}`);
  for (const name of referencesIn(JSON.stringify(http))) secrets.named(name, 'the request');
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
  };
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
  const [address = '', search = ''] = written
    .trim()
    .replace(/#.*$/s, '')
    .split(/\?(.*)/s, 2);
  const whole = inUrl.test(address) || address.startsWith('${') ? address : `https://${address}`;
  const [opening, scheme = '', credentials] = inUrl.exec(whole) ?? ['', ''];
  if (scheme !== '' && !/^https?:\/\/$/i.test(scheme))
    throw new UnusableRequest(`${scheme} addresses are not requested, only http:// and https://`);
  if (credentials?.includes('${'))
    throw new UnusableRequest('its address has a user or password from a variable: use a header instead');
  let plain = credentials === undefined ? whole : scheme + whole.slice(opening.length);
  const isOpen = (secret: string): boolean => !/\{\{|\$\{/.test(secret);
  for (const secret of credentialsIn('url', plain).filter(isOpen))
    plain = plain.replaceAll(secret, () => secrets.take('secret', secret, 'the address'));
  if (!/^https?:\/\/[^/{]|^\$\{|^https?:\/\/\$\{/i.test(plain))
    throw new UnusableRequest('its address names no server');
  return {
    address: plain.replaceAll(' ', '%20'),
    path: plain.replace(/^https?:\/\//i, ''),
    pairs: search
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map(decode);
        return { name, value };
      }),
    authorization:
      credentials === undefined
        ? undefined
        : { name: 'Authorization', value: `Basic ${base64(credentials)}` },
  };
}

const base64 = (credentials: string): string =>
  Buffer.from(decode(credentials.includes(':') ? credentials : `${credentials}:`)).toString('base64');

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The last two words of a path that look like words, else the server. */
function wordsOf(path: string): string {
  const [host = '', ...words] = path.replaceAll(/\{\{.*?\}\}|\$\{.*?\}/g, ' ').split('/');
  const plain = words.filter((word) => /^[a-z][a-z._-]*$/i.test(word));
  return plain.length === 0 ? host : plain.slice(-2).join(' ');
}

function headerOf(
  { name, value }: Pair,
  list: ParameterList,
  secrets: SecretCollector,
): readonly (readonly [string, string])[] {
  if (!isHeaderName(name) || isReservedHeader(name) || dropped.test(name)) return [];
  if (value.includes('{{') || value.includes('${') || !isSecretHeader(name, value))
    return [[name, list.template(value, 'header')]];
  const use = `the header ${name}`;
  const [, scheme, secret] = /^(Bearer|Basic|Token|Digest|ApiKey)\s+(.+)$/is.exec(value.trim()) ?? [];
  if (secret === undefined) return [[name, secrets.take(name.replace(/^x-/i, ''), value, use)]];
  const suffix = scheme!.toLowerCase() === 'basic' ? 'basic-auth' : 'token';
  return [[name, `${scheme} ${secrets.take(suffix, secret, use)}`]];
}
