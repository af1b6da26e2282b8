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

/** What a login leaves behind, and what the next one has to know. */
interface OAuthState {
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  /** What the server has said when it answered a request with HTTP 401. */
  readonly challenged?: { readonly metadata?: string | undefined; readonly scope?: string | undefined };
  /** Every scope that a request was refused for lack of. */
  readonly wanted?: string;
  /** What the last login asked for. */
  readonly asked?: string;
}

type Change = { readonly [K in keyof OAuthState]?: OAuthState[K] | undefined };

export interface OAuthStore {
  readonly state: OAuthState;
  /** While no other process does the same. */
  locked(work: () => Promise<void>): Promise<void>;
  /** Reads the file again. True if another process has logged in in the meantime. */
  reload(): boolean;
  /** Absent members stay as the file has them; undefined ones are removed. */
  update(change: Change): Promise<void>;
}

/** What a login is for. */
export interface LoginTarget {
  readonly url: URL;
  /** As it is configured. */
  readonly clientId: string | undefined;
}

/**
 * One 0600 file a server. A token is for one address and one client: when one changes, what was stored counts as nothing.
 * `onSecret` gets to know every value that must not be shown.
 */
export function openOAuthStore(
  folder: string,
  server: string,
  target: LoginTarget,
  onSecret: (value: string) => void,
): OAuthStore {
  const path = join(folder, fileNameFor(server));
  let state = read(path, target);
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
      state = read(path, target);
      tellSecrets();
      return state.tokens !== undefined && state.tokens.access_token !== before;
    },
    async update(change) {
      state = merge(state, change);
      tellSecrets();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withFileLock(`${path}.write`, () =>
        writeJsonFile(path, {
          url: target.url.href,
          configured: target.clientId,
          ...merge(read(path, target), change),
        }),
      );
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
