import { credentialsIn } from './credentials.ts';
import { isSecretName } from './secret-names.ts';
import { isWordLike } from './word-like.ts';

/** Keys that nothing else looks like. */
const keys: readonly (readonly [kind: string, form: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z\d]+ )*PRIVATE KEY|PuTTY-User-Key-File-\d/],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z\d]{36,}|github_pat_\w{50,})/],
  ['a token of GitLab', /\bglpat-[\w-]{20,}/],
  ['a token of Slack', /\bxox[abeoprs]-[\w-]{20,}|\bxapp-\d-[\w-]{20,}/],
  ['a key of a model provider', /\bsk-(?:ant|proj|or|svcacct)-[\w-]{20,}/],
  ['a key of Stripe', /\b[rs]k_(?:live|test)_[A-Za-z\d]{20,}/],
  ['a key of Google', /\bAIza[\w-]{35}/],
  ['a token of npm', /\bnpm_[A-Za-z\d]{36}\b/],
  ['a token of Hugging Face', /\bhf_[A-Za-z]{34}\b/],
];

/** `NAME=value`, `name: value` or `"name": "value",`, with nothing else on the line. */
const setting =
  /^[ \t]*(?:export[ \t]+)?["']?(?<name>[\w.-]{1,80})["']?[ \t]*[=:][ \t]*["']?(?<value>[^\s"'`,;(){}[\]<>$]{6,500})["']?,?[ \t\r]*$/gm;

/** What in a text is certainly secret, without its value: "a private key", "a value for AWS_SECRET_ACCESS_KEY". */
export function secretInText(text: string): string | undefined {
  const known = keys.find(([, form]) => form.test(text));
  if (known) return known[0];
  for (const { groups } of text.matchAll(setting)) {
    const { name, value } = groups as { readonly name: string; readonly value: string };
    // Documents of an API have `"password": "string"`; a variable has its value.
    if (isWordLike(value) && name !== name.toUpperCase()) continue;
    if (isSecretName(name) && credentialsIn(name, value).length > 0) return `a value for ${name}`;
  }
  return undefined;
}
