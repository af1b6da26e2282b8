import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';
import type { ExampleBody, Pair, RequestExample } from '../requests/request-example.ts';
import { splitCommand } from './split-command.ts';

/** What an option of curl says about the request. */
type Meaning =
  | 'method'
  | 'header'
  | 'data'
  | 'raw'
  | 'encoded'
  | 'json'
  | 'user'
  | 'bearer'
  | 'cookie'
  | 'referer'
  | 'url'
  | 'timeout'
  | 'get'
  | 'head'
  | 'value'
  | 'nothing'
  | 'refused';

/** By name: what the option means. `value`: it takes one, and says nothing about the request. */
const options: { readonly [name: string]: Meaning } = {
  request: 'method',
  header: 'header',
  data: 'data',
  'data-ascii': 'data',
  'data-binary': 'data',
  'data-raw': 'raw',
  'data-urlencode': 'encoded',
  json: 'json',
  user: 'user',
  'oauth2-bearer': 'bearer',
  cookie: 'cookie',
  referer: 'referer',
  url: 'url',
  'max-time': 'timeout',
  get: 'get',
  head: 'head',
  'user-agent': 'value',
  output: 'value',
  'connect-timeout': 'value',
  retry: 'value',
  'retry-delay': 'value',
  'retry-max-time': 'value',
  'max-redirs': 'value',
  'write-out': 'value',
  stderr: 'value',
  'cookie-jar': 'value',
  silent: 'nothing',
  'show-error': 'nothing',
  location: 'nothing',
  include: 'nothing',
  verbose: 'nothing',
  fail: 'nothing',
  'fail-with-body': 'nothing',
  compressed: 'nothing',
  globoff: 'nothing',
  'progress-bar': 'nothing',
  'remote-name': 'nothing',
  'no-buffer': 'nothing',
  basic: 'nothing',
  'http1.1': 'nothing',
  http2: 'nothing',
  ipv4: 'nothing',
  ipv6: 'nothing',
  form: 'refused',
  'form-string': 'refused',
  'upload-file': 'refused',
  insecure: 'refused',
  config: 'refused',
  proxy: 'refused',
  cert: 'refused',
  key: 'refused',
  digest: 'refused',
  ntlm: 'refused',
  netrc: 'refused',
};

const letters: { readonly [letter: string]: string } = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  b: 'cookie',
  e: 'referer',
  m: 'max-time',
  G: 'get',
  I: 'head',
  A: 'user-agent',
  o: 'output',
  w: 'write-out',
  c: 'cookie-jar',
  s: 'silent',
  S: 'show-error',
  L: 'location',
  i: 'include',
  v: 'verbose',
  f: 'fail',
  g: 'globoff',
  '#': 'progress-bar',
  O: 'remote-name',
  N: 'no-buffer',
  '4': 'ipv4',
  '6': 'ipv6',
  F: 'form',
  T: 'upload-file',
  k: 'insecure',
  K: 'config',
  x: 'proxy',
  E: 'cert',
  n: 'netrc',
};

const refuse = (why: string): PegboardError =>
  new PegboardError('PEG_USAGE', asSentence(`The curl command can't be imported: ${why}`));

/** The request of a curl command: one text as it is typed in a shell, or its words. Throws PEG_USAGE. */
export function readCurl(given: readonly string[]): RequestExample {
  const words = given.length === 1 ? splitCommand(given[0]!) : given;
  const own = words[0] === 'curl' ? words.slice(1) : words;
  const parts = new Map<Meaning, string[]>();
  const note = (meaning: Meaning, value: string): void => {
    parts.set(meaning, [...(parts.get(meaning) ?? []), value]);
  };
  for (let at = 0; at < own.length; at++) at += readOption(own[at]!, own[at + 1], note);
  return toExample(parts);
}

/** Notes what a word says, and returns how many words after it belong to it. */
function readOption(
  word: string,
  next: string | undefined,
  note: (meaning: Meaning, value: string) => void,
): 0 | 1 {
  if (word === '' || word === '-' || !word.startsWith('-')) {
    note('url', word);
    return 0;
  }
  const isLong = word.startsWith('--');
  const name = isLong ? word.slice(2) : letters[word[1]!];
  const meaning = name !== undefined && Object.hasOwn(options, name) ? options[name]! : undefined;
  if (meaning === undefined) {
    const [near] = isLong ? nearest(name!, Object.keys(options)) : [];
    throw refuse(
      `its option ${isLong ? word : word.slice(0, 2)} is not known${near === undefined ? '' : `; did you mean --${near}?`}`,
    );
  }
  if (meaning === 'refused')
    throw refuse(
      `${isLong ? word : word.slice(0, 2)} (--${name}) can't be part of a tool: files, certificates and proxies are not supported`,
    );
  if (meaning === 'nothing' || meaning === 'get' || meaning === 'head') {
    note(meaning, '');
    const others = isLong ? '' : word.slice(2);
    return others === '' ? 0 : readOption(`-${others}`, next, note);
  }
  const inline = isLong ? '' : word.slice(2);
  if (inline !== '') {
    note(meaning, inline);
    return 0;
  }
  if (next === undefined) throw refuse(`${word} needs a value`);
  note(meaning, next);
  return 1;
}

function toExample(parts: ReadonlyMap<Meaning, readonly string[]>): RequestExample {
  const all = (meaning: Meaning): readonly string[] => parts.get(meaning) ?? [];
  const [url, second] = all('url');
  if (url === undefined || url === '') throw refuse('it names no address');
  if (second !== undefined) throw refuse(`it names two addresses, ${url} and ${second}`);
  const headers = headersOf(all);
  const data = dataOf(all);
  const isGet = parts.has('get');
  const method =
    all('method').at(-1) ?? (parts.has('head') ? 'HEAD' : data === undefined || isGet ? 'GET' : 'POST');
  const search = isGet && data !== undefined ? `${url.includes('?') ? '&' : '?'}${data}` : '';
  const [seconds] = all('timeout');
  const timeout = Number(seconds);
  const body = data === undefined || isGet ? undefined : bodyOf(data, headers, parts.has('json'));
  return {
    method,
    url: url + search,
    // The tool's body says of which type it is.
    headers: headers.filter(({ name, value }) => !isStandardType(name, value, body)),
    ...(body && { body }),
    ...(seconds !== undefined && timeout > 0 && timeout <= 86_400 && { timeout }),
  };
}

function headersOf(all: (meaning: Meaning) => readonly string[]): readonly Pair[] {
  const written = all('header').map((header): Pair => {
    if (header.startsWith('@')) throw refuse('it reads headers from a file');
    const [, name = '', value = ''] = /^([^:;]+)[:;]\s*(.*)$/s.exec(header) ?? [];
    return { name: name.trim(), value: value.trim() };
  });
  const of = (meaning: Meaning, name: string, value: (text: string) => string): readonly Pair[] =>
    all(meaning).map((text) => ({ name, value: value(text) }));
  return [
    ...of('user', 'Authorization', (text) => {
      if (text.includes('${'))
        throw refuse(
          'its user and password come from a variable: write -H "Authorization: Basic $NAME", with their Base64 form',
        );
      return `Basic ${Buffer.from(text).toString('base64')}`;
    }),
    ...of('bearer', 'Authorization', (text) => `Bearer ${text}`),
    ...of('cookie', 'Cookie', (text) => {
      if (!text.includes('=') && !text.includes('${')) throw refuse('it reads cookies from a file');
      return text;
    }),
    ...of('referer', 'Referer', (text) => text),
    ...written,
  ].filter(({ value }) => value !== '');
}

function dataOf(all: (meaning: Meaning) => readonly string[]): string | undefined {
  const files = [...all('data'), ...all('json')].find((text) => text.startsWith('@'));
  if (files !== undefined) throw refuse(`it reads the file ${files.slice(1)}: put its text into the command`);
  const [json] = all('json');
  if (json !== undefined) return all('json').join('');
  const pieces = [...all('data'), ...all('raw'), ...all('encoded').map(encoded)];
  return pieces.length === 0 ? undefined : pieces.join('&');
}

/** `name=content` → the content percent-encoded, as curl does. */
function encoded(text: string): string {
  const [, name = '', mark, content = ''] = /^([^=@]*)([=@])(.*)$/s.exec(text) ?? ['', '', '=', text];
  if (mark === '@') throw refuse(`it reads the file ${content}: put its text into the command`);
  const value = encodeURIComponent(content).replaceAll(/%24%7B(\w+)%7D/g, '${$1}');
  return name === '' ? value : `${name}=${value}`;
}

function bodyOf(data: string, headers: readonly Pair[], isJson: boolean): ExampleBody {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (isJson || /json/i.test(type) || (type === '' && /^\s*[[{]/.test(data))) {
    try {
      return { kind: 'json', json: parseJson(data) };
    } catch {
      return { kind: 'text', text: data };
    }
  }
  if (type !== '' && !/x-www-form-urlencoded/i.test(type)) return { kind: 'text', text: data };
  const pairs = [...new URLSearchParams(data)].map(([name, value]): Pair => ({ name, value }));
  return { kind: 'form', pairs };
}

const isStandardType = (name: string, value: string, body: ExampleBody | undefined): boolean =>
  name.toLowerCase() === 'content-type' &&
  ((body?.kind === 'json' && /^application\/json\b/i.test(value)) ||
    (body?.kind === 'form' && /x-www-form-urlencoded/i.test(value)));
