import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { join } from 'node:path';
import { parseJson, toJson } from '../../../core/documents/written-numbers.ts';
import { readIfThere, type Documents } from '../../../store/documents/documents.ts';
import { isSealed, openSealed, seal } from '../../../store/secrets/sealed.ts';
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
  /** A login with this client has begun and came to no end: the authorization server may not know the client any more. */
  readonly begun?: true;
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

/** Where logins are stored. */
export interface LoginFiles {
  /** Absolute. */
  readonly folder: string;
  readonly documents: Documents;
  /** Absent: they are written as they are. */
  readonly sealing?: {
    readonly passphrase: string | undefined;
    /** Called before one is sealed. Throws PEG_CONFIG without a passphrase, and with a wrong one. */
    check(): Promise<void>;
  };
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
  { folder, documents, sealing }: LoginFiles,
  server: string,
  target: LoginTarget,
  onSecret: (value: string) => void,
): OAuthStore {
  const path = join(folder, fileNameFor(server));
  const read = (text: string | undefined): OAuthState => parse(text, target, sealing?.passphrase);
  let state = read(readIfThere(path));
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
    locked: (work) => documents.exclusively(path, work),
    get state() {
      return state;
    },
    reload() {
      const before = state.tokens?.access_token;
      state = [...unwritten].reduce(merge, read(readIfThere(path)));
      tellSecrets();
      return state.tokens !== undefined && state.tokens.access_token !== before;
    },
    async update(change) {
      state = merge(state, change);
      unwritten.add(change);
      tellSecrets();
      try {
        await sealing?.check();
        await documents.change(path, (text) => {
          const { url, clientId: configured } = target;
          const login = { url: url.href, configured, ...merge(read(text), change) };
          return toJson(sealing ? seal(login, sealing.passphrase!) : login);
        });
      } finally {
        unwritten.delete(change);
      }
    },
  };
}

const merge = (state: OAuthState, change: Change): OAuthState =>
  Object.fromEntries(Object.entries({ ...state, ...change }).filter(([, value]) => value !== undefined));

/** Nothing is known of a login that can't be read. */
function parse(text: string | undefined, target: LoginTarget, passphrase: string | undefined): OAuthState {
  if (text === undefined) return {};
  let stored: unknown;
  try {
    stored = parseJson(text);
    if (isSealed(stored)) stored = openSealed(stored, passphrase);
  } catch {
    return {};
  }
  if (!isObject(stored)) return {};
  const { url, configured, ...state } = stored;
  if (url !== target.url.href || configured !== target.clientId) return {};
  return state;
}
