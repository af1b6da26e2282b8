/** Words in names of secrets: DATABASE_PASSWORD, clientSecret, X-Api-Key. */
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

/** Abbreviations at the end of a longer name: DB_PASS, GITHUB_PAT. */
const tellingLast = new Set(['key', 'pass', 'pwd', 'pat', 'jwt', 'dsn', 'sas']);
const glued = /(?:password|passwd|secret|token|apikey)$/;

/** Whether a variable, header or key of this name may contain a secret. The value decides. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => telling.has(word) || glued.test(word))) return true;
  return tellingLast.has(words.at(-1)!) && words.length > 1 && words.at(-2) !== 'public';
}

/** Whether a variable of this name contains a password, which may be an ordinary word. */
export function isPasswordName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (/^(?:pass|pwd)$/.test(last)) return words.length > 1;
  return /(?:password|passwd|passphrase|secret)$/.test(last);
}

/** Whether a variable of this name is a key or token itself, and not a fact about one: API_KEY, GITHUB_TOKEN. */
export function isKeyName(name: string): boolean {
  const last = wordsOf(name).slice(-2).join('');
  return /(?:apikey|accesskey|token|credentials?|authorization)$/.test(last);
}

/** Last words of names of settings: PEGBOARD_MODEL, DATABASE_NAME, LOG_LEVEL. */
const plain = new Set(
  'model host hostname port name user username email region zone path dir folder file level mode type format version locale language timeout limit size'.split(
    ' ',
  ),
);

/** Whether the name shows that its variable is a public setting. */
export const isPlainName = (name: string): boolean => plain.has(wordsOf(name).at(-1) ?? '');

/** Names of secret parameters. "token" and "key" alone have too many other meanings in tools. */
const parameters =
  /^(?:.+_)?(?:password|passwd|passphrase|secret|api_?key|(?:access|auth|refresh|bearer)_token|private_key|credentials?)$/;

export function isSecretParameter(name: string): boolean {
  return parameters.test(wordsOf(name).join('_'));
}

/** Last words of names for what somebody proves themselves with. */
const proofs = new Set(
  'password passwd passphrase passcode passwort pass pwd pswd psw pw pin otp totp mfa 2fa cvv cvc'.split(' '),
);
/** The same, written as one word with whose it is: "userpass". */
const gluedProof =
  /(?:passwd|password|passcode|pwd)$|^(?:my|old|new|user|usr|db|sql|admin|root|login|api|app|smtp|mail|ftp|http|proxy|wifi)(?:pass|pw|pin)$/;

/** Whether a pair of a query, form or JSON body holds a password, PIN or one-time code: pwd, user_pass, dbPwd, otp_code. */
export function isPasswordPair(name: string): boolean {
  const words = wordsOf(name).map((word) => word.replace(/(?<=[a-z])\d+$/, ''));
  const last = words.at(words.length > 1 && words.at(-1) === 'code' ? -2 : -1) ?? '';
  return proofs.has(last) || gluedProof.test(last);
}

const otherPairs =
  /^(?:.+_)?(?:jwt|bearer|sig|signature|sas|(?:session|s)_?id|(?:secret|signing|session|auth|app|client|license)_key)$|^(?:token|key|auth)$/;
/** Tokens that nobody proves anything with. */
const freeTokens =
  /^(?:max|min|stop|start|end|first|last|page|next|prev|previous|continuation|sync|pagination)_token$/;

/** Whether a pair of a query, form or JSON body holds a secret, whatever its value looks like. */
export function isSecretPairName(name: string): boolean {
  const words = wordsOf(name).join('_');
  const isToken = words.endsWith('_token') && !freeTokens.test(words);
  return isToken || isPasswordPair(name) || isSecretParameter(name) || otherPairs.test(words);
}

/** Last words of names of long values that are no secrets. */
const open = new Set(
  'id ids uuid guid hash sha sha1 sha256 md5 digest checksum etag cursor page revision commit ref version file image data content body text message url uri link path name title description query traceparent'.split(
    ' ',
  ),
);

/** Whether the name shows that a long value without words is an id, a hash or content. */
export const isOpenName = (name: string): boolean => open.has(wordsOf(name).at(-1) ?? '');

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}
