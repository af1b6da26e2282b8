import { credentialsIn } from './credentials.ts';
import type { Redactor } from './redact.ts';

/**
 * Adds the value of `${NAME}` in a manifest or a server's entry to the redactor. Its name needn't reveal that it is
 * secret. Values that the owner stored are known already.
 */
export function learnReferenced(redactor: Pick<Redactor, 'add'>, name: string, value: string): void {
  for (const secret of credentialsIn(name, value, { isReferenced: true })) redactor.add(name, secret);
}
