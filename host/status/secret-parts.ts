import { toJson } from '../core/documents/written-numbers.ts';
import { credentialsIn } from '../core/secrets/credentials.ts';
import { isPlainName, isSecretName } from '../core/secrets/secret-names.ts';
import { isSecretHeader, isSecretOption } from '../servers/may-be-secret.ts';

/** In place of what is not shown. */
export const hiddenText = '[secret]';

/**
 * What of a text in a file of settings may be a secret and is not to be shown; undefined for none. Stricter than what is
 * redacted elsewhere: the name of a setting is enough, and all variables and headers of servers count. `names`: of the
 * setting, from the outermost; `before`: the text before it in a list, such as an option of a command. Pure.
 */
export function secretPartsOf(
  names: readonly string[],
  text: string,
  before?: string,
): readonly string[] | undefined {
  if (/^(?:true|false|null|)$/.test(text) || isReference(text)) return undefined;
  const name = names.at(-1) ?? '';
  const isVariable = names.at(-2) === 'headers' || (names[0] === 'mcpServers' && names.at(-2) === 'env');
  if (isVariable || isSecretKey(name) || isSecretKey(optionIn(before))) return [text];
  const found = [...credentialsIn(name, text), ...inOption(text), ...inAddress(text)];
  // A default within a reference, which is not a value by itself.
  for (const [, fallback = ''] of text.matchAll(/\$\{\w+:-([^}]*)\}/g))
    found.push(...credentialsIn(name, fallback));
  found.push(...inWords(text));
  return found.length > 0 ? found : undefined;
}

/** The value of a setting without what may be a secret in it: a text as it is, anything else as JSON. Pure. */
export function shownSetting(names: readonly string[], value: unknown): string {
  const shown = hideIn(names, value);
  return typeof shown === 'string' ? shown : toJson(shown);
}

function hideIn(names: readonly string[], value: unknown, before?: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, at) => hideIn(names, item, value[at - 1]));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, hideIn([...names, name], inner)]),
    );
  const parts = secretPartsOf(names, String(value), typeof before === 'string' ? before : undefined);
  return parts ? parts.reduce((shown, part) => shown.replaceAll(part, hiddenText), String(value)) : value;
}

/** A message or a command line without what may be a secret in it. */
export const withoutSecretParts = (text: string): string =>
  (secretPartsOf([''], text) ?? []).reduce((shown, part) => shown.replaceAll(part, hiddenText), text);

/** Of a text of several words, such as a command line: each word, with the option before it. */
function inWords(text: string): readonly string[] {
  const words = text.split(/[\s"'`()<>,;]+/).filter((word) => word !== '');
  if (words.length === 1 && words[0] === text) return [];
  return words.flatMap((word, at) => secretPartsOf([''], word, words[at - 1]) ?? []);
}

/** Names a variable and says nothing else: "${TOKEN}", "Bearer ${TOKEN}". */
const isReference = (text: string): boolean =>
  /^(?:(?:Bearer|Basic|Token) +)?\$\{[A-Za-z_]\w*\}$/i.test(text);

const isSecretKey = (name: string): boolean =>
  (isSecretName(name) && !isPlainName(name)) || (name !== 'key' && isSecretOption(name));

/** "--api-key" → "api-key" */
const optionIn = (text = ''): string => /^--?([\w-]+)$/.exec(text)?.[1] ?? '';

/** "--token=abc", "X-Auth: abc" */
function inOption(text: string): readonly string[] {
  const [, option = '', value = ''] = /^--?([\w-]+)=(.+)$/s.exec(text) ?? [];
  if (isSecretKey(option)) return isReference(value) ? [] : [value];
  const [, header = '', content = ''] = /^([\w-]+):\s*(.+)$/s.exec(text) ?? [];
  return isSecretHeader(header) && !isReference(content) ? [content] : [];
}

/** "https://user:abc@example.com/?key=abc" */
function inAddress(text: string): readonly string[] {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return [];
  // A password of a database may have unescaped characters; in a path on the web, an @ is no end of one.
  const isOnWeb = /^(?:https?|wss?):/i.test(text);
  const password = (isOnWeb ? /^[^:]+:\/\/[^/\s:@]*:([^@/\s]+)@/ : /^[^:]+:\/\/[^/\s:@]*:(\S+)@/).exec(
    text,
  )?.[1];
  const inPath = text
    .split(/[/?#]/)
    .slice(3)
    .flatMap((part) => credentialsIn('', part));
  const found = [...inPath, ...inParameters(text)];
  return password !== undefined && !isReference(password) ? [password, ...found] : found;
}

function inParameters(text: string): readonly string[] {
  return [...text.matchAll(/[?&#]([^=&#]+)=([^&#]+)/g)].flatMap(([, name = '', value = '']) =>
    isSecretOption(name) && !isReference(value) ? [value] : [],
  );
}
