import { PegboardError } from '../../core/errors.ts';
import type { SecretStore } from './secrets.ts';

export interface SharedSecretsOptions {
  /** Names that the address of the database has: without them, nobody finds the other secrets. */
  readonly inAddress: ReadonlySet<string>;
  readonly hasPassphrase: boolean;
  /** The name of the database. */
  readonly database: string;
}

/**
 * The secrets of this machine and those that all hosts of a state share. This machine's are what the address of the
 * database names, values of its environment, and those that were stored before there were other hosts; a shared one comes
 * before the last. Storing one that is to be shared throws PEG_CONFIG without a passphrase.
 */
export function shareSecrets(
  own: SecretStore,
  shared: SecretStore,
  { inAddress, hasPassphrase, database }: SharedSecretsOptions,
): SecretStore {
  const has = (store: SecretStore, name: string): boolean => store.list().some((one) => one.name === name);
  const isOwn = (name: string): boolean =>
    inAddress.has(name) || own.list().some((one) => one.name === name && one.origin === 'environment');
  const storeOf = (name: string): SecretStore => (isOwn(name) || !has(shared, name) ? own : shared);
  const requirePassphrase = (what: string): void => {
    if (hasPassphrase) return;
    throw new PegboardError(
      'PEG_CONFIG',
      `${what} was not stored: all hosts of this home share it in ${database}, where it is sealed with a passphrase. Set the variable PEGBOARD_PASSPHRASE to the same text on every host, and try again.`,
    );
  };
  return {
    get diagnostics() {
      const others = shared.diagnostics.map((one) => ({
        ...one,
        message: `${one.message} All hosts that share ${database} need the same one.`,
      }));
      return [...own.diagnostics, ...others];
    },
    refresh() {
      own.refresh();
      shared.refresh();
    },
    async checkPassphrase() {
      requirePassphrase('A login at an MCP server');
      await shared.checkPassphrase();
    },
    get unshared() {
      return own
        .list()
        .map(({ name }) => name)
        .filter((name) => !isOwn(name) && !has(shared, name));
    },
    get: (name) => storeOf(name).get(name),
    list() {
      const names = [...own.list(), ...shared.list()].map(({ name }) => name);
      return [...new Set(names)].sort().flatMap(
        (name) =>
          storeOf(name)
            .list()
            .find((one) => one.name === name) ?? [],
      );
    },
    async set(name, value, origin) {
      if (inAddress.has(name) || origin === 'environment') return await own.set(name, value, origin);
      requirePassphrase(`The secret ${name}`);
      await shared.set(name, value, origin);
      if (has(own, name)) await own.delete(name);
    },
    async delete(name) {
      // What can't be read may have it.
      const mayHave = has(shared, name) || shared.diagnostics.length > 0;
      const wasShared = !inAddress.has(name) && mayHave && (await shared.delete(name));
      const wasOwn = has(own, name) && (await own.delete(name));
      return wasShared || wasOwn;
    },
  };
}
