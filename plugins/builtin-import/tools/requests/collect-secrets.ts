import {
  credentialsIn,
  isOpenName,
  isPasswordPair,
  isSecretName,
  isSecretPairName,
  isSecretParameter,
  isWordLike,
} from 'pegboard/kit';
import { hasCredential } from '../../homes/suspicious.ts';
import { toVariable } from '../names.ts';
import type { NeededSecret } from '../tool-plan.ts';

/** Takes secrets out of requests and gives each a name. */
export interface SecretCollector {
  /** `${NAME}` for a value. The same value always gets the same name. */
  take(suffix: string, value: string, use: string): string;
  /** Notes that a request names the variable itself. */
  named(name: string, use: string): void;
  readonly secrets: readonly NeededSecret[];
}

/** `prefix`: what the names begin with, such as the server's name. `values`: of variables that requests name themselves. */
export function collectSecrets(
  prefix: string,
  values: ReadonlyMap<string, string> = new Map(),
): SecretCollector {
  const found = new Map<string, NeededSecret>();
  return {
    take(suffix, value, use) {
      const base = toVariable(prefix, suffix);
      let name = base;
      for (let count = 2; found.has(name) && found.get(name)!.value !== value; count++)
        name = `${base}_${count}`;
      if (!found.has(name)) found.set(name, { name, use, value });
      return `\${${name}}`;
    },
    named(name, use) {
      const value = values.get(name) ?? '';
      if (!found.has(name)) found.set(name, { name, use, ...(value !== '' && { value }) });
    },
    get secrets() {
      return [...found.values()];
    },
  };
}

/** As generators make keys: long, without words. Ids and hashes look the same. */
const generated = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d+/_=.-]{32,}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const looksGenerated = (name: string, value: string): boolean =>
  generated.test(value) && !uuid.test(value) && !isWordLike(value) && !isOpenName(name);

/** Whether a parameter of a query, a form or a JSON body is a secret. */
export const isSecretPair = (name: string, value: string): boolean =>
  !value.includes('${') &&
  !value.includes('{{') &&
  (isSecretPairName(name) ||
    looksGenerated(name, value) ||
    credentialsIn(name, value, { isReferenced: isSecretName(name) }).length > 0);

/** Whether a header holds a secret, whatever it looks like. */
export const isSecretHeader = (name: string, value: string): boolean =>
  isSecretName(name) ||
  isSecretPairName(name) ||
  looksGenerated(name, value) ||
  credentialsIn(name, value).length > 0;

/** Whether a text seems to hold a secret: alone, or as `name: value`, `name=value` or `<name>value</name>`. */
export function holdsSecret(text: string): boolean {
  const pairs = [
    ...text.matchAll(/([\w.-]{2,60})["'`]*\s*[:=]\s*["'`]*([^\s"'`<>,;&]+)/g),
    ...text.matchAll(/<([\w.-]{2,60})(?:\s[^<>]*)?>([^<>]+)<\//g),
  ];
  return hasCredential(text) || pairs.some(([, name]) => isPasswordPair(name!) || isSecretParameter(name!));
}
