import { credentialsIn } from '../core/secrets/credentials.ts';
import { isPlainName, isSecretName } from '../core/secrets/secret-names.ts';

/**
 * Whether a variable or header of somebody else's server may hold a secret. Those that configure are short words, numbers
 * and paths; anything else counts.
 */
export const mayBeSecret = (name: string, value: string): boolean =>
  isSecretName(name) ||
  isSecretOption(name) ||
  credentialsIn(name, value).length > 0 ||
  !/^(?:[\w.-]{0,16}|\/[\w./-]*|https?:\/\/[\w.:/-]+)$/.test(value);

/** Of a header that stands in an argument: "X-Auth: …". */
export const isSecretHeader = (name: string): boolean => name.split('-').some(isSecretOption);

/** Of an argument or a parameter of an address. `--token-file` names a place. */
export const isSecretOption = (name: string): boolean =>
  (isSecretName(name) && !isPlainName(name)) ||
  /^(?:key|sig|signature|auth|authorization|code|pass|pwd|pat|jwt|sas|cookie)$/i.test(name);
