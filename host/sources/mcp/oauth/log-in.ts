import { randomBytes } from 'node:crypto';
import { auth, discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { openDeadline, untilAborted } from '../../../core/async/deadline.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { shorten } from '../../../core/text/shorten.ts';
import { probe } from './challenge.ts';
import type { McpOAuthConfig } from '../config.ts';
import { createOAuthProvider } from './oauth-provider.ts';
import { privateFetch, refuseInTheClear } from '../transport/http/private-fetch.ts';
import type { OAuthStore } from './oauth-store.ts';
import { listenForRedirect } from './redirect-listener.ts';
import { signInAsMachine } from './machine-sign-in.ts';
import { returnedAnswer } from './returned-address.ts';
import { scopesBeyond, scopeToAskFor } from './scopes.ts';
import type { LoginOptions, LoginOutcome, OpenUrl } from '../mcp-source.ts';

/** How long a person may take to log in. */
const loginMs = 5 * 60_000;
/** Characters of what an authorization server says of a failure. */
const maxReasonLength = 500;

export interface LoginTargetServer {
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Logs in, as a machine where the entry says so; else sends a person to the authorization server through `openUrl`, and waits for the browser to come back, or for its address.
 * Throws PEG_USAGE for a server that wants no login, PEG_SERVER_UNAUTHORIZED, and the signal's reason.
 */
export async function logIn(
  server: LoginTargetServer,
  store: OAuthStore,
  config: McpOAuthConfig,
  { openUrl, readAddress, signal: given }: LoginOptions & { readonly openUrl: OpenUrl },
): Promise<LoginOutcome> {
  using deadline = openDeadline(loginMs, given);
  const { signal } = deadline;
  const elsewhere = await learnWhatIsWanted(server, store, signal);
  if (config.grant === 'client_credentials') {
    await untilAborted(signInAsMachine(server, store, config), signal);
    return confirmed(server, store, store.state.asked, signal);
  }
  const state = randomBytes(24).toString('base64url');
  await using listener = await listenForRedirect(state, config.redirectPort);
  // Registered for one address to come back to; this login may have another port.
  await store.update({ client: undefined, discovery: undefined });
  let opening: Promise<void> = Promise.resolve();
  const provider = createOAuthProvider({
    store,
    config,
    redirectUrl: listener.url,
    state,
    redirect(url) {
      refuseInTheClear(url, server.url);
      // A browser may stay until its page says what became of the login.
      opening = (async () => openUrl(url.href))();
      opening.catch(() => {});
    },
  });
  try {
    const scope = scopeToAskFor(config, store);
    const { metadata } = store.state.challenged ?? {};
    const options = {
      serverUrl: server.url,
      fetchFn: privateFetch(server.url),
      ...(metadata !== undefined && { resourceMetadataUrl: new URL(metadata) }),
      ...(scope !== undefined && { scope }),
    };
    const outcome = await untilAborted(auth(provider, { ...options, forceReauthorization: true }), signal);
    if (outcome !== 'AUTHORIZED') {
      const answer = await Promise.race([
        returnedAnswer(listener, state, readAddress, signal),
        opening.then(() => new Promise<never>(() => {})),
      ]);
      const authorizationCode = answer.get('code');
      if (authorizationCode === null) throw await refusalIn(answer, store);
      const iss = answer.get('iss');
      await auth(provider, { ...options, authorizationCode, ...(iss !== null && { iss }) });
    }
    const login = await confirmed(server, store, scope, signal);
    listener.tell(undefined);
    return login;
  } catch (cause) {
    const hint = elsewhere
      ? `. It names ${elsewhere.href} for its metadata, which is not its own origin and was not asked`
      : '';
    const failure =
      signal.aborted || cause instanceof PegboardError
        ? cause
        : failed(server, `${messageOf(cause)}${hint}`, cause);
    listener.tell(visibleText(messageOf(signal.aborted ? signal.reason : failure)));
    signal.throwIfAborted();
    throw failure;
  }
}

/**
 * A server may let some requests in and others not: what counts is any refusal, also one of an earlier call, and whether
 * it publishes that it has a login. Resolves with the place of its metadata that it names and that isn't its own.
 */
async function learnWhatIsWanted(
  { name, url, headers }: LoginTargetServer,
  store: OAuthStore,
  signal: AbortSignal,
): Promise<URL | undefined> {
  const challenge = await probe(url, headers, signal);
  store.reload();
  if (challenge && !challenge.lacksScope) {
    const { metadata, elsewhere, scope } = challenge;
    await store.update({ challenged: { metadata: metadata?.href, scope } });
    return elsewhere;
  }
  const { challenged, tokens } = store.state;
  if (challenged || tokens) return undefined;
  const metadata = discoverOAuthProtectedResourceMetadata(url, undefined, privateFetch(url));
  if (await metadata.catch(() => undefined)) return undefined;
  throw new PegboardError(
    'PEG_USAGE',
    `Nobody was signed in: MCP server "${name}" lets requests in without a login, and names no place to sign in.`,
  );
}

/** That the server takes the token, and what is not among its permissions. */
async function confirmed(
  server: LoginTargetServer,
  store: OAuthStore,
  asked: string | undefined,
  signal: AbortSignal,
): Promise<LoginOutcome> {
  const { access_token: token, scope: granted = asked } = store.state.tokens!;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw failed(server, 'the token that its authorization server gave fits into no header');
  await store.update({ asked });
  const challenge = await probe(server.url, { ...server.headers, authorization: `Bearer ${token}` }, signal);
  if (challenge && !challenge.lacksScope)
    throw failed(server, 'it does not take the token that its authorization server gave (HTTP 401)');
  return { missing: scopesBeyond(granted, asked) };
}

async function refusalIn(answer: URLSearchParams, store: OAuthStore): Promise<Error> {
  const error = answer.get('error');
  const reason = answer.get('error_description') ?? error ?? 'it came back without a code';
  if (error !== 'invalid_scope') return new Error(`the authorization server said no (${reason})`);
  // What it doesn't know would be asked for each time.
  await store.update({ wanted: undefined, asked: undefined });
  return new Error(
    `the authorization server doesn't know what was asked for (${reason}). It is forgotten: log in again`,
  );
}

function failed({ name }: LoginTargetServer, why: string, cause?: unknown): PegboardError {
  const shown = shorten(visibleText(why).replaceAll(/\s+/g, ' '), maxReasonLength);
  return new PegboardError('PEG_SERVER_UNAUTHORIZED', `Logging in to MCP server "${name}" failed: ${shown}`, {
    cause,
  });
}
