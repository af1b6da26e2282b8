import { buildRequests, type Request } from 'curlconverter/dist/src/Request.js';
import type { OperationConfig } from 'curlconverter/dist/src/curl/opts.js';
import { firstShellToken, Word } from 'curlconverter/dist/src/shell/Word.js';
import { jsonBody } from '../requests/json-body.ts';
import { readForm } from '../requests/read-form.ts';
import type { ExampleBody, Pair, RequestExample } from '../requests/request-example.ts';
import { readOptions, refuse } from './options.ts';
import { givenWord, splitCommand, textOf } from './shell-words.ts';

/** The request of a curl command: one text as it is typed in a shell, or its words. Throws PEG_USAGE. */
export function readCurl(given: readonly string[]): RequestExample {
  const words = given.length === 1 ? splitCommand(given[0]!) : given.map(givenWord);
  const isNamed = words[0]?.test(/^curl(?:\.exe)?$/i) === true;
  const { config, notTaken } = readOptions(isNamed ? words : [new Word('curl'), ...words]);
  checkAddress(config);
  checkHeaders(config);
  const { 'max-time': limit } = config;
  const [request] = buildRequests({ configs: [config], warnings: [] });
  const { urls, data } = request!;
  for (const file of [request!.dataReadsFile, urls[0]!.queryReadsFile])
    if (file !== undefined) refuse(`it reads the file ${file}: put its text into the command`);
  const headers = [...loginOf(config, request!), ...headersOf(request!)];
  const body = data && bodyOf(textOf(data), headers);
  return {
    method: textOf(urls[0]!.method),
    url: addressOf(request!, config),
    headers: body ? withoutUsualType(headers, body) : headers,
    ...(body && { body }),
    ...(limit && { timeout: secondsOf(textOf(limit)) }),
    notTaken,
  };
}

/** A tool asks one server by HTTP. */
function checkAddress({ url: [written, second] = [], globoff }: OperationConfig): void {
  if (written === undefined || written.isEmpty()) return refuse('it names no address');
  if (second) refuse(`it names two addresses, ${textOf(written)} and ${textOf(second)}`);
  const hasGlob = written.tokens.some(
    (token) =>
      typeof token === 'string' &&
      /[[\]{}]/.test(token.replaceAll(/\\[[\]{}]|(?<=^(?:[a-z]+:\/\/)?)\[[\da-f:.]+\]/gi, '')),
  );
  if (hasGlob && globoff !== true)
    refuse('curl takes the [ ] and { } of its address for several addresses: write \\[ or add -g');
  const guessed = written.match(/^(?:ftp|dict|ldap|imap|smtp|pop3)(?=\.)/i)?.[0].toLowerCase();
  if (guessed !== undefined)
    refuse(`without a scheme, curl asks a server of this name by ${guessed}://: write http:// before it`);
}

function checkHeaders({ header = [], 'user-agent': agent }: OperationConfig): void {
  const [emptied] = header.flatMap((word) => /^([^:]+):\s*$/.exec(textOf(word))?.[1] ?? []);
  const removed = emptied ?? (agent?.isEmpty() ? 'User-Agent' : undefined);
  if (removed !== undefined) refuse(`it takes away the header ${removed}, which a tool can't`);
  if (header.some((word) => word.startsWith('@'))) refuse('it reads headers from a file');
  if (header.some((word) => firstShellToken(word) && !/[:;]/.test(textOf(word))))
    refuse('the name of a header comes from a variable');
}

/** With a user and password of its own, where no option has others. */
function addressOf({ urls }: Request, { user }: OperationConfig): string {
  const { url, urlObj, originalUrl } = urls[0]!;
  const address = textOf(url);
  // A variable may hold the scheme, too.
  if (typeof originalUrl.tokens[0] !== 'string') return address.replace(/^http:\/\//, '');
  return urlObj.auth && !user ? address.replace('://', () => `://${textOf(urlObj.auth!)}@`) : address;
}

function loginOf({ user }: OperationConfig, { headers }: Request): readonly Pair[] {
  if (!user || headers.has('authorization')) return [];
  if (firstShellToken(user))
    refuse(
      'its user and password come from a variable: write -H "Authorization: Basic $NAME", with their Base64 form',
    );
  const text = textOf(user);
  if (!text.includes(':')) refuse('its user has no password, which curl asks for: write user:password');
  return [{ name: 'Authorization', value: `Basic ${Buffer.from(text).toString('base64')}` }];
}

function headersOf({ headers, cookieFiles = [] }: Request): readonly Pair[] {
  if (cookieFiles.some((file) => !file.isEmpty() && !firstShellToken(file)))
    refuse('it reads cookies from a file');
  const cookies = headers.has('cookie') ? [] : cookieFiles.filter((file) => !file.isEmpty());
  return [
    ...[...headers].map(([name, value]) => ({ name: textOf(name).trim(), value: textOf(value!).trim() })),
    ...cookies.map((value) => ({ name: 'Cookie', value: textOf(value) })),
  ];
}

const formType = 'application/x-www-form-urlencoded';

function bodyOf(data: string, headers: readonly Pair[]): ExampleBody {
  const type = headers.find(isType)?.value.toLowerCase() ?? '';
  if (type.includes('json') || (type === formType && /^\s*[[{]/.test(data))) return jsonBody(data);
  const pairs = type === formType ? readForm(data) : undefined;
  return pairs === undefined ? { kind: 'text', text: data } : { kind: 'form', pairs };
}

const isType = ({ name }: Pair): boolean => name.toLowerCase() === 'content-type';

/** The tool's body says of which type it is, unless curl says something else. */
const withoutUsualType = (headers: readonly Pair[], { kind }: ExampleBody): readonly Pair[] =>
  headers.filter(
    (pair) =>
      !isType(pair) ||
      pair.value.toLowerCase() !== { json: 'application/json', form: formType, text: undefined }[kind],
  );

function secondsOf(written: string): number {
  const timeout = Number(written);
  return timeout > 0 && timeout <= 86_400
    ? timeout
    : refuse(`its time limit ${written} is not one of up to a day`);
}
