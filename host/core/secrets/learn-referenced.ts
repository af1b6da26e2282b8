import { credentialsIn } from './credentials.ts';
import type { Redactor } from './redact.ts';

/**
 * What `${NAME}` stands for in a manifest or a server's entry. Its name need not tell; what the owner stored under it is
 * known already.
 */
export function learnReferenced(redactor: Pick<Redactor, 'add'>, name: string, value: string): void {
  for (const secret of credentialsIn(name, value, { isReferenced: true })) redactor.add(name, secret);
}
