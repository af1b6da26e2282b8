import { join } from 'node:path';
import { localDocuments } from '../store/documents/documents.ts';
import { openUserState, type UserState } from '../store/owner/user-state.ts';
import { referencesIn } from '../core/documents/interpolate.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { userStateFolder, type User } from '../core/platform/places.ts';
import type { Platform } from '../core/requirements.ts';
import { environmentOf } from '../home-environment.ts';
import { openSecrets, type SecretOptions, type SecretStore } from '../store/secrets/secrets.ts';
import { shareSecrets } from '../store/secrets/share-secrets.ts';
import { writtenState } from './home-database.ts';
import { sharedPlaceOf, type SharedPlace } from './shared-state.ts';

/** Of this machine alone. */
export const openOwnSecrets = (home: string, options: SecretOptions): SecretStore =>
  openSecrets(join(home, 'data/secrets/secrets.json'), options);

/** Those of this machine, and those that all hosts of its state share. */
export function withSharedSecrets(
  own: SecretStore,
  { folder, inAddress, name }: SharedPlace,
  options: SecretOptions,
): SecretStore {
  const shared = openSecrets(join(folder, 'secrets.json'), options);
  return shareSecrets(own, shared, {
    inAddress,
    hasPassphrase: options.passphrase !== undefined,
    database: name,
  });
}

/**
 * For code without a host: resolves `${NAME}` as one does, from the environment, then from the secrets as this machine
 * last knew them.
 */
export function resolverOf(home: string, user: User): (name: string) => string | undefined {
  const environment = environmentOf(home, user);
  const secrets = secretsOf(home, user);
  return (name) => environment[name] ?? secrets.get(name);
}

/** For code without a host: the secrets as this machine last knew them. */
export function secretsOf(home: string, user: User): SecretStore {
  const environment = environmentOf(home, user);
  const options = quietOptions(environment);
  const own = openOwnSecrets(home, options);
  const place = sharedPlaceOf(home, (name) => environment[name] ?? own.get(name), userStateFolder(user));
  return place ? withSharedSecrets(own, place, options) : own;
}

/**
 * This machine's secrets, when `state` names this variable: no host can open without it. Undefined for any other variable.
 */
export function secretsOfAddress(home: string, name: string, user: User): SecretStore | undefined {
  if (!referencesIn(writtenState(home) ?? '').includes(name)) return undefined;
  return openOwnSecrets(home, quietOptions(environmentOf(home, user)));
}

/** Nobody is told of the values, because nothing else is shown. */
const quietOptions = (environment: Platform): SecretOptions => optionsFor(environment, () => {});

/** Their values are never shown. */
export const redactedBy = (redactor: Redactor, environment: Platform): SecretOptions =>
  optionsFor(environment, (name, value) => redactor.add(name, value, { isOwnersName: true }));

function optionsFor(environment: Platform, onValue: SecretOptions['onValue']): SecretOptions {
  const passphrase = passphraseIn(environment);
  return { ...(passphrase !== undefined && { passphrase }), onValue };
}

/** Undefined: an empty one is none. */
export const passphraseIn = (environment: Platform): string | undefined =>
  environment['PEGBOARD_PASSPHRASE'] || undefined;

/** For code without a host, to read: what this user approved in a home, as this machine last knew it. */
export function storedUserState(home: string, user: User): UserState {
  const root = userStateFolder(user);
  const place = sharedPlaceOf(home, (name) => resolverOf(home, user)(name), root);
  return openUserState(home, root, place && { folder: place.folder, documents: localDocuments });
}
