import { nearest } from '../../core/documents/nearest.ts';
import type { WhyUnset } from '../../core/secrets/why-unset.ts';
import { unreadableIn, type SecretStore } from './secrets.ts';

/** A variable is unset because no secret can be read, or because another name was meant. */
export const whyUnsetIn =
  (environment: NodeJS.ProcessEnv, secrets: SecretStore): WhyUnset =>
  (name) => {
    const unreadable = unreadableIn(secrets);
    if (unreadable !== undefined) return `It may be a secret, and the secrets can't be read: ${unreadable}`;
    const names = [...Object.keys(environment), ...secrets.list().map((secret) => secret.name)];
    const [near] = nearest(name, names);
    return near === undefined ? undefined : `Did you mean ${near}?`;
  };
