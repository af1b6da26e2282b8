import { statSync } from 'node:fs';
import type { Diagnostic } from '../../api/diagnostic.ts';
import type { SecretOrigin, Secrets } from '../../api/store/secrets.ts';
import { PegboardError } from '../../core/errors.ts';
import { parsedJson, toJson } from '../../core/documents/written-numbers.ts';
import { localDocuments, readIfThere, type Documents } from '../documents/documents.ts';
import { isSealed, openSealed, seal } from './sealed.ts';

/**
 * Values that tools need and that must not be shown. One file for this user only (0600 in a 0700 folder), sealed with a
 * passphrase when PEGBOARD_PASSPHRASE is set.
 */
export interface SecretStore extends Secrets {
  readonly diagnostics: readonly Diagnostic[];
  /** Reads the file again if another process has changed it. Everything but `diagnostics` does so itself. */
  refresh(): void;
  /**
   * For what is sealed beside the secrets. Throws PEG_CONFIG when the passphrase is not theirs; where there are none, it
   * becomes that.
   */
  checkPassphrase(): Promise<void>;
  /**
   * Names of the secrets that this machine alone has, although it could share them with the other hosts of its state.
   * Empty where there are no others.
   */
  readonly unshared: readonly string[];
}

export interface SecretOptions {
  /** Seals the file; without one it is only kept from other users. */
  readonly passphrase?: string;
  /**
   * Called with every value as soon as it is known, so that it can be removed from everything that is written or sent.
   */
  readonly onValue: (name: string, value: string) => void;
  /**
   * Awaited after a value was stored. Not called for values of the environment, which are read before anything is open.
   */
  readonly onStored?: (value: string) => Promise<void>;
  readonly documents?: Documents;
}

/** Why some can't be read. Undefined: all can. */
export const unreadableIn = ({ diagnostics }: Pick<SecretStore, 'diagnostics'>): string | undefined =>
  diagnostics[0]?.message;

type Stored = { readonly value: string; readonly origin: SecretOrigin; readonly at: string };
type StoredSecrets = { readonly [name: string]: Stored };

const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/**
 * Reads immediately. An unreadable file is left unchanged and reported; nothing is written until it is repaired, and what
 * was read before stays known.
 */
export function openSecrets(path: string, options: SecretOptions): SecretStore {
  const { passphrase, onValue, onStored, documents = localDocuments } = options;
  let diagnostics: readonly Diagnostic[] = [];
  let secrets: StoredSecrets = {};
  let version: string | undefined;
  const read = (text: string | undefined): StoredSecrets => {
    if (text === undefined) return {};
    const stored = parsedJson(text);
    const secrets = isSealed(stored) ? openSealed(stored, passphrase) : stored;
    if (!isSecrets(secrets)) throw unreadable(path);
    for (const [name, { value }] of Object.entries(secrets)) onValue(name, value);
    return secrets;
  };
  const refresh = (): void => {
    const next = versionOf(path);
    if (next === version) return;
    version = next;
    try {
      secrets = read(readIfThere(path));
      diagnostics = [];
    } catch (cause) {
      const { message } = cause as Error;
      diagnostics = [{ severity: 'error', code: 'secrets-unreadable', message, path }];
    }
  };
  refresh();
  const change = async (edit: (secrets: StoredSecrets) => StoredSecrets): Promise<void> => {
    let next = secrets;
    await documents.change(path, (text) => {
      next = edit(read(text));
      return toJson(passphrase === undefined ? next : seal(next, passphrase));
    });
    secrets = next;
  };

  return {
    get diagnostics() {
      return diagnostics;
    },
    refresh,
    async checkPassphrase() {
      const text = readIfThere(path);
      if (text === undefined) await change((all) => all);
      else read(text);
    },
    unshared: [],
    get(name) {
      refresh();
      return Object.hasOwn(secrets, name) ? secrets[name]!.value : undefined;
    },
    list() {
      refresh();
      return Object.entries(secrets)
        .map(([name, { origin, at }]) => ({ name, origin, at }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async set(name, value, origin) {
      if (!variableName.test(name)) {
        throw new PegboardError(
          'PEG_USAGE',
          `"${name}" can't be the name of a secret: use letters, digits and _, as in GITHUB_TOKEN.`,
        );
      }
      if (value === '') throw new PegboardError('PEG_USAGE', `The secret ${name} needs a value.`);
      onValue(name, value);
      await change((all) => ({ ...all, [name]: { value, origin, at: new Date().toISOString() } }));
      if (origin !== 'environment') await onStored?.(value);
    },
    async delete(name) {
      let there = false;
      await change((all) => {
        there = Object.hasOwn(all, name);
        return Object.fromEntries(Object.entries(all).filter(([known]) => known !== name));
      });
      return there;
    },
  };
}

/** Changes whenever the file is replaced. Undefined when there is none. */
function versionOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

/** Stores variables `EXT_NAME` as secrets NAME; unchanged values are not written again. */
export async function syncFromEnvironment(
  secrets: SecretStore,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  for (const [variable, value] of Object.entries(environment)) {
    const name = /^EXT_(?=.)/.test(variable) ? variable.slice('EXT_'.length) : undefined;
    if (name === undefined || value === undefined || value === '' || !variableName.test(name)) continue;
    if (secrets.get(name) !== value) await secrets.set(name, value, 'environment');
  }
}

function isSecrets(value: unknown): value is StoredSecrets {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.values(value).every(
    (entry: unknown) => typeof (entry as Partial<Stored> | null)?.value === 'string',
  );
}

const unreadable = (path: string): PegboardError =>
  new PegboardError(
    'PEG_CONFIG',
    `The secrets in ${path} could not be read. Restore the file from a backup, or delete it and store them again.`,
  );
