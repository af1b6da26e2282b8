/** Words of names that hold what nobody should see: DATABASE_PASSWORD, clientSecret, X-Api-Key. */
const telling = new Set([
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'credential',
  'credentials',
  'authorization',
  'cookie',
]);

/** Short for one of them at the end of a longer name: DB_PASS, GITHUB_PAT. */
const tellingLast = new Set(['key', 'pass', 'pwd', 'pat', 'jwt', 'dsn', 'sas']);
const glued = /(?:password|passwd|secret|token|apikey)$/;

/** Whether a variable, header or key of this name may hold a secret; what it holds decides. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => telling.has(word) || glued.test(word))) return true;
  return tellingLast.has(words.at(-1)!) && words.length > 1 && words.at(-2) !== 'public';
}

/** Whether a variable of this name holds what a person may have made up: a plain word is a secret there. */
export function isPasswordName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (/^(?:pass|pwd)$/.test(last)) return words.length > 1;
  return /(?:password|passwd|passphrase|secret)$/.test(last);
}

/** Whether a variable of this name is a key or token itself, and not something about one: API_KEY, GITHUB_TOKEN. */
export function isKeyName(name: string): boolean {
  const last = wordsOf(name).slice(-2).join('');
  return /(?:apikey|accesskey|token|credentials?|authorization)$/.test(last);
}

/** At the end of names of settings: PEGBOARD_MODEL, DATABASE_NAME, LOG_LEVEL. */
const plain = new Set(
  'model host hostname port name user username email region zone path dir folder file level mode type format version locale language timeout limit size'.split(
    ' ',
  ),
);

/** Whether the name says that its variable holds a setting which anybody may see. */
export const isPlainName = (name: string): boolean => plain.has(wordsOf(name).at(-1) ?? '');

/** Parameters that are as plain; "token" and "key" alone mean too many other things in what tools take. */
const parameters =
  /^(?:.+_)?(?:password|passwd|passphrase|secret|api_?key|(?:access|auth|refresh|bearer)_token|private_key|credentials?)$/;

export function isSecretParameter(name: string): boolean {
  return parameters.test(wordsOf(name).join('_'));
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}
