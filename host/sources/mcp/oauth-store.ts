import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../core/json-file.ts';
import { withFileLock } from '../../store/file-lock.ts';
import { fileNameFor } from './file-name.ts';
import { isObject } from './rpc-message.ts';

/** What a login leaves behind, and what the next one has to know. */
export interface OAuthState {
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
  /** Of the file that it is kept in. */
  readonly path: string;
  /** Looks at the file again; true when somebody else has logged in meanwhile. */
  reload(): boolean;
  /** Absent members stay as the file has them; undefined ones are removed. */
  update(change: Change): Promise<void>;
}

/**
 * One 0600 file a server. A token is for one address: when the server's changes, what was stored counts as nothing.
 * `onSecret` gets to know every value that must not be shown.
 */
export function openOAuthStore(
  folder: string,
  server: string,
  url: URL,
  onSecret: (value: string) => void,
): OAuthStore {
  const path = join(folder, fileNameFor(server));
  let state = read(path, url);
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
    path,
    get state() {
      return state;
    },
    reload() {
      const before = state.tokens?.access_token;
      state = read(path, url);
      tellSecrets();
      return state.tokens !== undefined && state.tokens.access_token !== before;
    },
    async update(change) {
      state = merge(state, change);
      tellSecrets();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withFileLock(`${path}.write`, () =>
        writeJsonFile(path, { url: url.href, ...merge(read(path, url), change) }),
      );
    },
  };
}

const merge = (state: OAuthState, change: Change): OAuthState =>
  Object.fromEntries(Object.entries({ ...state, ...change }).filter(([, value]) => value !== undefined));

function read(path: string, url: URL): OAuthState {
  const stored = readJsonFile(path);
  if (!isObject(stored) || stored['url'] !== url.href) return {};
  const { url: _, ...state } = stored;
  return state;
}
