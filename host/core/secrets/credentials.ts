import { isKeyName, isPasswordName, isPlainName, isSecretName, isSecretPairName } from './secret-names.ts';
import { isWordLike } from './word-like.ts';
import { parseJson } from '../documents/written-numbers.ts';

/** Shorter values occur in ordinary text. */
const minLength = 8;
const minPasswordLength = 6;
const minPassphraseLength = 12;

/** Prefixes of the keys of well-known services, which identify them anywhere. */
const marked =
  /^(?:sk|rk|pk)[-_](?:live|test|proj|or|ant|svcacct)[-_]|^(?:gh[pousr]|github_pat|glpat|gldt|glrt|xox[abeoprs]|xapp|npm|pypi|dop_v1|doo_v1|hf|hvs|hvb|shpat|shpss|shpca|whsec|lin_api|ntn|dckr_pat|tskey|gsk|xai|pplx|sntrys|sntryu|phc|phx|figd|r8|nvapi|atlasv1|rnd|sbp|pscale_tkn|pul|dapi|tvly|jina|pat|key|EAA[A-Z]|ATATT|ya29|AIza|SG)[-_.A-Za-z\d]|^(?:AKIA|ASIA)[A-Z\d]{16}$|^\d{8,10}:[\w-]{30,}$|^eyJ[\w-]+\.[\w-]+\.|^-----BEGIN [A-Z ]*PRIVATE KEY/;
const scheme = /^(?:Bearer|Basic|Token|Digest|ApiKey)\s+/i;
const placeholder =
  /^(?:true|false|yes|no|on|off|none|null|nil|undefined|unset|empty|disabled?|enabled?|required|optional|default|prompt|auto|always|never|manual|hidden|redacted|example|placeholder|changeme|change-me|your[-_ ].*|<.*>|\*+|x+)$/i;
/** Passwords of local databases that are ordinary words. */
const commonPasswords = new Set([
  'postgres',
  'password',
  'secret',
  'example',
  'localhost',
  'rabbitmq',
  'minioadmin',
  'elastic',
]);
const fileName =
  /^[^=+]*\.(?:pem|key|crt|cer|p12|pfx|pub|jsonc?|ya?ml|toml|ini|conf|cfg|env|txt|log|sock|db|sqlite|md)$/i;
const date = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const address = /^[a-z][a-z\d+.-]*:\/\//i;
const webhook = /(?:^|[^a-z])(?:web)?hooks?(?:$|[^a-z])|webhook/i;
/** `password=…` in connection settings, headers in a variable, cookies. */
const pair = /([\w.-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s;,&"']+)/g;

export interface ValueOptions {
  /** Something that needs secrets refers to it, so its name needn't reveal it. */
  readonly isReferenced?: boolean;
}

/**
 * The secrets in a value that wasn't stored as one, judged by its name and content: usually the whole value, in URLs
 * and settings only the credentials. A name alone suffices only for passwords, where nearly every value is secret, and
 * for keys and tokens with long values.
 */
export function credentialsIn(
  name: string,
  value: string,
  { isReferenced = false }: ValueOptions = {},
): readonly string[] {
  const text = value.trim().replace(scheme, '');
  const isAuthorization = text !== value.trim() && !/\s/.test(text);
  if (text === '' || text.includes('${')) return [];
  if (address.test(text)) return inAddress(name, text);
  if (text.startsWith('{')) return inJson(text);
  const parts = inPairs(text);
  if (isPasswordName(name) && isPassword(text)) return [text, ...parts];
  const isTold = isAuthorization || isSecretName(name) || (isReferenced && !isPlainName(name));
  const isOne = isMarked(text) || (isTold && isGenerated(text)) || (isKeyName(name) && isPassphrase(text));
  return isOne ? [text, ...parts] : parts;
}

const isMarked = (text: string): boolean =>
  marked.test(text) && text.length >= 16 && !isWordLike(text) && !fileName.test(text);

/** A value as key generators make it: no word, number, date, path, file name or placeholder. */
function isGenerated(text: string): boolean {
  if (text.length < minLength || placeholder.test(text) || date.test(text)) return false;
  return !fileName.test(text) && !isWordLike(text);
}

/** Words used as a key: too long for a setting, a format or a file name. */
const isPassphrase = (text: string): boolean =>
  text.length >= minPassphraseLength &&
  !/^[~./]|^[\d.,:+-]*$/.test(text) &&
  ![placeholder, date, fileName].some((form) => form.test(text));

/** May be an ordinary word. */
function isPassword(text: string): boolean {
  if (text.length < minPasswordLength || placeholder.test(text)) return false;
  const isPath = /^(?:[~.]{0,2}\/|[A-Z]:\\)/.test(text) && (isWordLike(text) || fileName.test(text));
  return !isPath;
}

/** `https://user:password@host/?token=…`, and webhook URLs, whose path is the key. */
function inAddress(name: string, text: string): readonly string[] {
  const url = URL.parse(text);
  if (!url) return [];
  const { username, password, searchParams } = url;
  const decoded = decode(password);
  const isOwn = decoded !== decode(username) && !commonPasswords.has(decoded) && isPassword(decoded);
  const user = decode(username);
  const isHook = webhook.test(name) || webhook.test(url.hostname + url.pathname);
  const hooks = isHook
    ? url.pathname
        .split('/')
        .map(decode)
        .filter((part) => part.length >= 16 && isGenerated(part))
    : [];
  const query = [...searchParams, ...new URLSearchParams(url.hash.slice(1))];
  return [
    ...(isOwn ? new Set([decoded, password]) : []),
    ...(isGenerated(user) && !user.includes('@') ? [user] : []),
    ...hooks,
    ...query.flatMap(([key, item]) =>
      isQueryName(key) ? credentialsIn(key, item, { isReferenced: true }) : [],
    ),
  ];
}

const isQueryName = (name: string): boolean =>
  isSecretName(name) || isSecretPairName(name) || /^code$/i.test(name);

function inJson(text: string): readonly string[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return [];
  }
  const found: string[] = [];
  const collect = (part: unknown, depth: number): void => {
    if (typeof part !== 'object' || part === null || depth > 8) return;
    for (const [key, item] of Object.entries(part))
      if (typeof item === 'string') found.push(...credentialsIn(key, item));
      else collect(item, depth + 1);
  };
  collect(value, 0);
  return found;
}

function inPairs(text: string): readonly string[] {
  if (!text.includes('=')) return [];
  return [...text.matchAll(pair)].flatMap(([, key, quoted]) => {
    const item = quoted!.replace(/^(["'])(.*)\1$/s, '$2');
    return item === text ? [] : credentialsIn(key!, item);
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
