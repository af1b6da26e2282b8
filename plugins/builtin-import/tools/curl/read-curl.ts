import { jsonBody } from '../requests/json-body.ts';
import { readForm } from '../requests/read-form.ts';
import type { ExampleBody, Pair, RequestExample } from '../requests/request-example.ts';
import { readOption, refuse, type Meaning, type Noted } from './options.ts';
import { splitCommand } from './split-command.ts';

/** The request of a curl command: one text as it is typed in a shell, or its words. Throws PEG_USAGE. */
export function readCurl(given: readonly string[]): RequestExample {
  const words = given.length === 1 ? splitCommand(given[0]!) : given;
  const own = words[0] === 'curl' ? words.slice(1) : words;
  const noted: Noted[] = [];
  for (let at = 0; at < own.length; at++)
    at += readOption(
      own[at]!,
      own[at + 1],
      (meaning, value, option) => void noted.push({ meaning, value, option }),
    );
  return toExample(noted);
}

function toExample(noted: readonly Noted[]): RequestExample {
  const all: All = (meaning) => noted.flatMap((one) => (one.meaning === meaning ? [one.value] : []));
  const has = (meaning: Meaning): boolean => all(meaning).length > 0;
  const [written, second] = all('url');
  if (written === undefined || written === '') throw refuse('it names no address');
  if (second !== undefined) throw refuse(`it names two addresses, ${written} and ${second}`);
  const url = has('globoff') ? written : withoutGlob(written);
  const guessed = /^(?:ftp|dict|ldap|imap|smtp|pop3)(?=\.)/i.exec(url)?.[0].toLowerCase();
  if (guessed !== undefined)
    throw refuse(
      `without a scheme, curl asks a server of this name by ${guessed}://: write http:// before it`,
    );
  const data = dataOf(noted);
  const isGet = has('get');
  if (has('head') && data !== undefined && !isGet) throw refuse('it has both -I and a body');
  const method =
    all('method').at(-1) ?? (has('head') ? 'HEAD' : data === undefined || isGet ? 'GET' : 'POST');
  const search = isGet && data !== undefined ? `${url.includes('?') ? '&' : '?'}${data}` : '';
  const own = headersOf(all);
  const body = data === undefined || isGet ? undefined : bodyOf(data, own);
  return {
    method,
    url: url + search,
    headers: body === undefined ? own : withType(own, body),
    ...(body && { body }),
    ...timeoutOf(all),
    notTaken: noted
      .filter(({ meaning }) => meaning === 'value' || meaning === 'dropped')
      .map(({ option, value }) => ({
        what: value === '' ? option : `${option} ${value}`,
        why: reasons[option] ?? 'a tool does that in its own way',
      })),
  };
}

type All = (meaning: Meaning) => readonly string[];

const reasons: { readonly [option: string]: string } = {
  '-L': 'a redirect is followed on the same server only',
  '--location': 'a redirect is followed on the same server only',
  '-o': 'the answer is the result of the tool',
  '--output': 'the answer is the result of the tool',
};

function timeoutOf(all: All): Pick<RequestExample, 'timeout'> {
  const written = all('timeout').at(-1);
  if (written === undefined) return {};
  const timeout = Number(written);
  if (!(timeout > 0 && timeout <= 86_400))
    throw refuse(`its time limit ${written} is not one of up to a day`);
  return { timeout };
}

/** To curl, brackets and braces mean several addresses, unless there is a backslash before them. */
function withoutGlob(url: string): string {
  const plain = url.replaceAll(/\{\{.*?\}\}|\$\{\w+\}|\\[[\]{}]|(?<=^(?:[a-z]+:\/\/)?)\[[\da-f:.]+\]/gi, '');
  if (/[[\]{}]/.test(plain))
    throw refuse('curl takes the [ ] and { } of its address for several addresses: write \\[ or add -g');
  return url.replaceAll(/\\([[\]{}])/g, '$1');
}

function headersOf(all: All): readonly Pair[] {
  const written = all('header').map((header): Pair => {
    if (header.startsWith('@')) throw refuse('it reads headers from a file');
    const [, name = header, mark, value = ''] = /^([^:;]+)([:;])\s*(.*)$/s.exec(header) ?? [];
    if (mark === undefined) throw refuse(`its header ${header} has no colon`);
    if (mark === ';' && value !== '') throw refuse(`its header ${header} has a ; for a colon`);
    if (mark === ':' && value.trim() === '')
      throw refuse(`it takes away the header ${name}, which a tool can't`);
    return { name: name.trim(), value: value.trim() };
  });
  const isWritten = (name: string): boolean =>
    written.some((pair) => pair.name.toLowerCase() === name.toLowerCase());
  const of = (meaning: Meaning, name: string, value: (text: string) => string): readonly Pair[] =>
    all(meaning).map((text) => ({ name, value: value(text) }));
  return [
    ...of('user', 'Authorization', (text) => {
      if (text.includes('${'))
        throw refuse(
          'its user and password come from a variable: write -H "Authorization: Basic $NAME", with their Base64 form',
        );
      if (!text.includes(':'))
        throw refuse('its user has no password, which curl asks for: write user:password');
      return `Basic ${Buffer.from(text).toString('base64')}`;
    }),
    ...of('bearer', 'Authorization', (text) => `Bearer ${text}`),
    ...of('cookie', 'Cookie', (text) => {
      if (!text.includes('=') && !text.includes('${')) throw refuse('it reads cookies from a file');
      return text;
    }),
    ...of('referer', 'Referer', (text) => text),
    ...of('agent', 'User-Agent', (text) => text),
    ...of('range', 'Range', (text) => `bytes=${text}`),
    ...(all('json').length > 0 ? jsonHeaders.filter(({ name }) => !isWritten(name)) : []),
    ...written,
  ];
}

const jsonHeaders: readonly Pair[] = [
  { name: 'Content-Type', value: 'application/json' },
  { name: 'Accept', value: 'application/json' },
];

/** In their order, joined by `&`, but for pieces of JSON. */
function dataOf(noted: readonly Noted[]): string | undefined {
  let data: string | undefined;
  for (const { meaning, value } of noted) {
    if (!['data', 'raw', 'encoded', 'json'].includes(meaning)) continue;
    if (meaning !== 'raw' && meaning !== 'encoded' && value.startsWith('@'))
      throw refuse(`it reads the file ${value.slice(1)}: put its text into the command`);
    const piece = meaning === 'encoded' ? encoded(value) : value;
    data =
      data === undefined || data === '' || meaning === 'json' ? `${data ?? ''}${piece}` : `${data}&${piece}`;
  }
  return data;
}

/** `name=content`, `=content` and `content`: the content percent-encoded, as curl does. */
function encoded(text: string): string {
  const [, name = '', mark, content = ''] = /^([^=]*)(=)(.*)$/s.exec(text) ??
    /^([^@]*)(@)(.*)$/s.exec(text) ?? ['', '', '=', text];
  if (mark === '@') throw refuse(`it reads the file ${content}: put its text into the command`);
  const value = content
    .split(/(\$\{\w+\}|\{\{.*?\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
    .join('');
  return name === '' ? value : `${name}=${value}`;
}

const formType = 'application/x-www-form-urlencoded';

function bodyOf(data: string, headers: readonly Pair[]): ExampleBody {
  const type = typeIn(headers) ?? '';
  if (/json/i.test(type) || (type === '' && /^\s*[[{]/.test(data))) return jsonBody(data);
  const pairs = type === '' || type.toLowerCase() === formType ? readForm(data) : undefined;
  return pairs === undefined ? { kind: 'text', text: data } : { kind: 'form', pairs };
}

const typeIn = (headers: readonly Pair[]): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;

/** The tool's body says of which type it is, unless curl says something else. */
function withType(headers: readonly Pair[], { kind }: ExampleBody): readonly Pair[] {
  const type = typeIn(headers);
  const usual = { json: 'application/json', form: formType, text: undefined }[kind];
  if (type !== undefined && type.toLowerCase() === usual)
    return headers.filter(({ name }) => name.toLowerCase() !== 'content-type');
  return type === undefined && usual !== formType
    ? [...headers, { name: 'Content-Type', value: formType }]
    : headers;
}
