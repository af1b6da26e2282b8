import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';
import { withFileLock } from '../../../store/files/file-lock.ts';
import { fileNameFor } from './file-name.ts';
import { isObject } from '../transport/rpc-message.ts';

/** What is stored of a login, for requests and for the next login. */
interface OAuthState {
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  /** The server's last demand with HTTP 401. */
  readonly challenged?: { readonly metadata?: string | undefined; readonly scope?: string | undefined };
  /** All scopes for lack of which a request was refused. */
  readonly wanted?: string;
  /** The scopes that the last login requested. */
  readonly asked?: string;
}

type Change = { readonly [K in keyof OAuthState]?: OAuthState[K] | undefined };

export interface OAuthStore {
  readonly state: OAuthState;
  /** Runs `work` while no other process runs it. */
  locked(work: () => Promise<void>): Promise<void>;
  /** Reads the file again. True if another process has logged in in the meantime. */
  reload(): boolean;
  /** Absent members keep their value in the file; undefined ones are removed. */
  update(change: Change): Promise<void>;
}

/** What a login is for. */
export interface LoginTarget {
  readonly url: URL;
  /** As it is configured. */
  readonly clientId: string | undefined;
}

/**
 * One file for each server, with mode 0600. A token is for one address and one client: when one of them changes, the
 * stored login is ignored. `onSecret` is called with every value that must not be shown.
 */
export function openOAuthStore(
  folder: string,
  server: string,
  target: LoginTarget,
  onSecret: (value: string) => void,
): OAuthStore {
  const path = join(folder, fileNameFor(server));
  let state = read(path, target);
  /** Not in the file yet: reading it meanwhile must not undo them. */
  const unwritten = new Set<Change>();
  const tellSecrets = (): void => {
    const { tokens, client } = state;
    const secrets = [
      tokens?.access_token,
      tokens?.refresh_token,
      client && 'client_secret' in client && client.client_secret,
    ];
    for (const secret of secrets) if (typeof secret === 'string') onSecret(secret);
  };
  tellSecrets();
  return {
    async locked(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withFileLock(path, work);
    },
    get state() {
      return state;
    },
    reload() {
      const before = state.tokens?.access_token;
      state = [...unwritten].reduce(merge, read(path, target));
      tellSecrets();
      return state.tokens !== undefined && state.tokens.access_token !== before;
    },
    async update(change) {
      state = merge(state, change);
      unwritten.add(change);
      tellSecrets();
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await withFileLock(`${path}.write`, () =>
          writeJsonFile(path, {
            url: target.url.href,
            configured: target.clientId,
            ...merge(read(path, target), change),
          }),
        );
      } finally {
        unwritten.delete(change);
      }
    },
  };
}

const merge = (state: OAuthState, change: Change): OAuthState =>
  Object.fromEntries(Object.entries({ ...state, ...change }).filter(([, value]) => value !== undefined));

function read(path: string, target: LoginTarget): OAuthState {
  const stored = readJsonFile(path);
  if (!isObject(stored)) return {};
  const { url, configured, ...state } = stored;
  if (url !== target.url.href || configured !== target.clientId) return {};
  return state;
}
