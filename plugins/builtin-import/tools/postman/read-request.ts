import { listOf, type Members, membersOf, trimmedText, wordIn, wordOf } from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';
import { jsonBody } from '../requests/json-body.ts';
import { splitSearch } from '../requests/read-form.ts';
import {
  UnusableRequest,
  type ExampleBody,
  type Pair,
  type RequestExample,
} from '../requests/request-example.ts';

/** What `{{name}}` of a collection means here. */
export interface CollectionVariables {
  /** Values that are no secret. */
  readonly plain: ReadonlyMap<string, string>;
  /** The secret that a name stands for, if it is one. */
  readonly secretOf: (name: string) => string | undefined;
  /** The variable for a name that must not be a parameter. */
  readonly variableOf: (name: string) => string;
}

export interface RequestPlace {
  /** The authorization of the request, its folder or the collection. */
  readonly auth: Members;
  readonly folder: string | undefined;
  readonly variables: CollectionVariables;
}

/** The request of an item of a collection. Throws UnusableRequest. */
export function readRequest(item: Members, { auth, folder, variables }: RequestPlace): RequestExample {
  const whole = item['request'];
  const request: Members = typeof whole === 'string' ? { url: whole } : membersOf(whole);
  const own = membersOf(request['auth']);
  const credentials = readAuth(request['auth'] === undefined ? auth : own);
  const fill = (text: string): string => withSecrets(text, variables);
  const pathValues = pathValuesOf(request['url']);
  const url = withServer(urlOf(request['url'], pathValues), variables);
  const query = queryOf(credentials.query);
  const headers = headersIn(request['header']);
  const method = trimmedText(request['method']) || 'GET';
  const written = bodyOf(membersOf(request['body']), fill);
  const isPruned =
    /^(?:get|head)$/i.test(method) &&
    membersOf(item['protocolProfileBehavior'])['disableBodyPruning'] !== true;
  const body = isPruned ? undefined : written;
  if (body && !headers.some(({ name }) => /^content-type$/i.test(name))) {
    const type = typeOf(body, membersOf(request['body']));
    if (type !== undefined) headers.push({ name: 'Content-Type', value: type });
  }
  const name = plainLine(item['name']);
  const description = request['description'] ?? item['description'];
  const said = trimmedText(description) || trimmedText(membersOf(description)['content']);
  return {
    name,
    title: name,
    description: said,
    documentation: said,
    ...(folder !== undefined && folder !== '' && { folder }),
    method,
    url: fill(query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`),
    headers: [...credentials.headers, ...headers].map(({ name: header, value, ...more }) => ({
      ...more,
      name: header.trim(),
      value: fill(value).trim(),
    })),
    ...(body && { body }),
    values: pathValues,
    notTaken:
      isPruned && written
        ? [{ what: 'its body', why: `Postman doesn't send one with ${method}, unless it is told to` }]
        : [],
  };
}

/** A list of objects, or one text: lines of `Name: value` or `Name`, of which `//` turns one off. */
function headersIn(written: unknown): Pair[] {
  if (typeof written !== 'string') return listOf(written).map(membersOf).filter(isOn).map(pairOf);
  const lines = written.split(/\r?\n/).filter((line) => !/^\s*(?:\/\/|$)/.test(line));
  return lines.map((line) => {
    const [, name, value = ''] = /^\s*([^:\s]+)\s*(?::\s*(.*?)\s*)?$/.exec(line) ?? [];
    if (name === undefined)
      throw new UnusableRequest(`the line "${plainLine(line)}" of its headers has no name`);
    return { name, value: checkText(value) };
  });
}

const isOn = (written: Members): boolean => written['disabled'] !== true;

const pairOf = (written: Members): Pair => ({
  name: textIn(written, 'key'),
  value: checkText(textIn(written, 'value')),
  description:
    trimmedText(written['description']) || trimmedText(membersOf(written['description'])['content']),
});

/** A text with the blanks around it, which Postman sends, and a number as it was written. */
export const textIn = (members: Members, name: string): string =>
  typeof members[name] === 'string' ? members[name] : wordIn(members, name);

/** `{{token}}` is a secret where the collection says so or its name does. */
function withSecrets(text: string, { secretOf }: CollectionVariables): string {
  return text.replaceAll(expression, (found, name: string) => {
    const secret = secretOf(name);
    return secret === undefined ? found : `\${${secret}}`;
  });
}

const expression = /\{\{\s*(.*?)\s*\}\}/g;

/** The server is what the collection says, or a variable of the home: no parameter chooses it. */
function withServer(url: string, { plain, variableOf }: CollectionVariables): string {
  let head = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\{\{.*?\}\}|[^/?#])*/i.exec(url)![0];
  const rest = url.slice(head.length);
  // A variable may hold another one.
  for (let depth = 0; depth < 3; depth++)
    head = head.replaceAll(expression, (found, name: string) => plain.get(name)?.trim() || found);
  return head.replaceAll(expression, (_, name: string) => `\${${variableOf(name)}}`) + rest;
}

/** With its query, which may only be part of its text, and `:id` of its path as `{{id}}`. */
function urlOf(address: unknown, values: ReadonlyMap<string, string>): string {
  if (typeof address === 'string') return withPathVariables(checkText(address), values);
  const url = membersOf(address);
  const { address: start, search } = splitSearch(textIn(url, 'raw').trimStart());
  const plain = checkText(start === '' ? joined(url) : start);
  if (plain === '') throw new UnusableRequest('it has no address');
  const listed = listOf(url['query']).map(membersOf);
  const query = listed.length === 0 ? checkText(search) : queryOf(listed.filter(isOn).map(pairOf));
  const path = withPathVariables(plain, values);
  return query === '' ? path : `${path}?${query}`;
}

const queryOf = (pairs: readonly Pair[]): string =>
  pairs
    .map(
      ({ name, value }) =>
        `${encodeText(name, /[^!-~]|["#<>&=]/gu)}=${encodeText(value, /[^!-~]|["#<>&]/gu)}`,
    )
    .join('&');

const joined = (url: Members): string => {
  const host = [url['host']].flat().map(wordOf).join('.');
  const path = [url['path']].flat().map(wordOf).join('/');
  const protocol = trimmedText(url['protocol']);
  return host === ''
    ? ''
    : `${protocol === '' ? '' : `${protocol}://`}${host}${path === '' ? '' : `/${path}`}`;
};

/** A value with a `{{name}}` in it stands for the variable; any other is its default. */
const withPathVariables = (address: string, values: ReadonlyMap<string, string>): string =>
  address.replaceAll(/(?<=[^:/]\/):([A-Za-z_][\w-]*)/g, (_, name: string) =>
    values.get(name)?.includes('{{') ? values.get(name)! : `{{${name}}}`,
  );

const pathValuesOf = (address: unknown): ReadonlyMap<string, string> =>
  new Map(
    listOf(membersOf(address)['variable'])
      .map(membersOf)
      .map((one) => [trimmedText(one['key']) || trimmedText(one['id']), checkText(textIn(one, 'value'))]),
  );

/** What Postman encodes is percent-encoded, but for `{{name}}`: "%2B" and "+" are what was meant. */
const encodeText = (text: string, encoded: RegExp): string =>
  text
    .split(/(\{\{.*?\}\})/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.toWellFormed().replaceAll(encoded, encodeURIComponent),
    )
    .join('');

interface Auth {
  readonly headers: readonly Pair[];
  readonly query: readonly Pair[];
}

function readAuth(auth: Members): Auth {
  const type = trimmedText(auth['type']);
  const of = (name: string): string => {
    const settings = auth[type];
    return checkText(
      Array.isArray(settings)
        ? textIn(settings.map(membersOf).find((one) => one['key'] === name) ?? {}, 'value')
        : textIn(membersOf(settings), name),
    );
  };
  const authorization = (value: string): Auth => ({ headers: [{ name: 'Authorization', value }], query: [] });
  switch (type) {
    case '':
    case 'noauth':
      return { headers: [], query: [] };
    case 'bearer':
      return authorization(`Bearer ${of('token') || '{{token}}'}`);
    case 'oauth2':
      return authorization(`Bearer ${of('accessToken') || '{{access_token}}'}`);
    case 'basic': {
      const [user, password] = [of('username'), of('password')];
      return /\{\{|^$/.test(user + password)
        ? authorization('Basic {{basic_auth_token}}')
        : authorization(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
    }
    case 'apikey': {
      const pair = { name: of('key'), value: of('value') || '{{api_key}}' };
      return of('in') === 'query' ? { headers: [], query: [pair] } : { headers: [pair], query: [] };
    }
    default:
      throw new UnusableRequest(`its authorization is ${plainLine(type)}, which is not supported`);
  }
}

/** A `${` of the collection would be a variable here. */
function checkText(text: string): string {
  if (text.includes('${'))
    throw new UnusableRequest('it has a ${ in it, which means a variable in a manifest');
  return text;
}

function bodyOf(body: Members, fill: (text: string) => string): ExampleBody | undefined {
  if (body['disabled'] === true) return undefined;
  switch (trimmedText(body['mode'])) {
    case '':
      return undefined;
    case 'raw':
      return rawBody(checkText(textIn(body, 'raw')), body, fill);
    case 'urlencoded': {
      const pairs = listOf(body['urlencoded']).map(membersOf).filter(isOn).map(pairOf);
      return { kind: 'form', pairs: pairs.map((pair) => ({ ...pair, value: fill(pair.value) })) };
    }
    case 'graphql': {
      const graphql = membersOf(body['graphql']);
      const values = jsonBody(fill(checkText(trimmedText(graphql['variables']) || '{}')));
      if (values.kind !== 'json')
        throw new UnusableRequest('the variables of its GraphQL query are not JSON');
      return {
        kind: 'json',
        json: { query: fill(checkText(textIn(graphql, 'query'))), variables: values.json },
      };
    }
    case 'formdata':
      throw new UnusableRequest("its body is multipart/form-data, which can't be sent");
    default:
      throw new UnusableRequest(`its body is a ${plainLine(body['mode'])}, which can't be sent`);
  }
}

/** What Postman sends with a raw body of the language, where the tool's body wouldn't say it. */
function typeOf({ kind }: ExampleBody, body: Members): string | undefined {
  if (kind !== 'text') return undefined;
  const language = trimmedText(membersOf(membersOf(body['options'])['raw'])['language']);
  return {
    json: 'application/json',
    xml: 'application/xml',
    html: 'text/html',
    javascript: 'application/javascript',
  }[language];
}

function rawBody(raw: string, body: Members, fill: (text: string) => string): ExampleBody | undefined {
  if (raw === '') return undefined;
  const language = trimmedText(membersOf(membersOf(body['options'])['raw'])['language']);
  const isJson = language === 'json' || (language === '' && /^\s*[[{]/.test(raw));
  return isJson ? jsonBody(fill(raw)) : { kind: 'text', text: fill(raw) };
}
