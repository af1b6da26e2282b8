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

/** Whether a variable, header or key of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => telling.has(word))) return true;
  return words.at(-1) === 'key' && words.length > 1 && words.at(-2) !== 'public';
}

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
