import { asSentence, PegboardError } from 'pegboard';
import { nearest } from 'pegboard/channels';

/** What an option of curl says about the request. */
export type Meaning =
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
  | 'agent'
  | 'range'
  | 'globoff'
  | 'dropped'
  | 'value'
  | 'nothing'
  | 'refused';

/**
 * By name: what the option means. `value`: it takes one, and is for what comes after the request; `dropped`: the same
 * without a value; `nothing`: it is about what curl prints, or what a tool does anyway.
 */
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
  'user-agent': 'agent',
  range: 'range',
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
  location: 'dropped',
  include: 'nothing',
  verbose: 'nothing',
  fail: 'nothing',
  'fail-with-body': 'nothing',
  compressed: 'nothing',
  globoff: 'globoff',
  'progress-bar': 'nothing',
  'remote-name': 'dropped',
  'no-buffer': 'nothing',
  basic: 'nothing',
  http2: 'dropped',
  'http1.1': 'dropped',
  ipv4: 'dropped',
  ipv6: 'dropped',
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
  r: 'range',
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

export const refuse = (why: string): PegboardError =>
  new PegboardError('PEG_USAGE', asSentence(`The curl command can't be imported: ${why}`));

/** What an option says. */
export interface Noted {
  readonly meaning: Meaning;
  readonly value: string;
  /** As it was written. */
  readonly option: string;
}

/** Notes what a word says, and returns how many words after it belong to it. */
export function readOption(
  word: string,
  next: string | undefined,
  note: (meaning: Meaning, value: string, option: string) => void,
): 0 | 1 {
  if (word === '' || word === '-' || !word.startsWith('-')) {
    note('url', word, word);
    return 0;
  }
  const isLong = word.startsWith('--');
  const option = isLong ? word : word.slice(0, 2);
  const name = isLong ? word.slice(2) : letters[word[1]!];
  const meaning = name !== undefined && Object.hasOwn(options, name) ? options[name]! : undefined;
  if (meaning === undefined) {
    const [near] = isLong ? nearest(name!, Object.keys(options)) : [];
    throw refuse(`its option ${option} is not known${near === undefined ? '' : `; did you mean --${near}?`}`);
  }
  if (meaning === 'refused')
    throw refuse(
      `${option} (--${name}) can't be part of a tool: files, certificates and proxies are not supported`,
    );
  if (withoutValue.has(meaning)) {
    note(meaning, '', option);
    const others = isLong ? '' : word.slice(2);
    return others === '' ? 0 : readOption(`-${others}`, next, note);
  }
  const inline = isLong ? '' : word.slice(2);
  if (inline !== '') {
    note(meaning, inline, option);
    return 0;
  }
  if (next === undefined) throw refuse(`${word} needs a value`);
  note(meaning, next, option);
  return 1;
}

const withoutValue: ReadonlySet<Meaning> = new Set(['nothing', 'dropped', 'globoff', 'get', 'head']);
