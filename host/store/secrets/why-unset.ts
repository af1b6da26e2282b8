import { pegboard } from '../../core/own-command.ts';
import { nearest } from '../../core/documents/nearest.ts';
import type { WhyUnset } from '../../core/secrets/why-unset.ts';
import { unreadableIn, type SecretStore } from './secrets.ts';

/** A variable is unset because no secret can be read, or because another name was meant. */
export const whyUnsetIn =
  (environment: NodeJS.ProcessEnv, secrets: SecretStore): WhyUnset =>
  (name) => {
    const unreadable = unreadableIn(secrets);
    if (unreadable !== undefined) return `It may be a secret, and the secrets can't be read: ${unreadable}`;
    // Only a tool doesn't get what is there.
    if (environment[name] !== undefined)
      return `It is in the home's .env, which is for Pegboard itself. Store it with \`${pegboard} secret set ${name}\`.`;
    const names = [...Object.keys(environment), ...secrets.list().map((secret) => secret.name)];
    const [near] = nearest(name, names);
    return near === undefined ? undefined : `Did you mean ${near}?`;
  };
