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
import { listenForRedirect, type RedirectListener } from './redirect-listener.ts';
import { signInAsMachine } from './machine-sign-in.ts';
import { returnedAnswer } from './returned-address.ts';
import { scopesBeyond, scopeToAskFor } from './scopes.ts';
import type { LoginOptions, LoginOutcome, OpenUrl } from '../mcp-source.ts';

/** Maximum time that a person may take to log in. */
const loginMs = 5 * 60_000;
/** Maximum characters of an authorization server's error message. */
const maxReasonLength = 500;

export interface LoginTargetServer {
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Logs in, as a machine if the entry says so. Otherwise sends the user to the authorization server through `openUrl`,
 * and waits for the browser to return, or for its address. Throws PEG_USAGE for a server that doesn't demand a login,
 * PEG_SERVER_UNAUTHORIZED, and the signal's reason.
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
  await using listener = await listenWhereRegistered(state, store, config);
  const isReusable = store.state.begun === undefined && redirectsOf(store).includes(listener.url);
  await store.update({ begun: true, discovery: undefined, ...(!isReusable && { client: undefined }) });
  let opening: Promise<void> = Promise.resolve();
  const provider = createOAuthProvider({
    store,
    config,
    redirectUrl: listener.url,
    mayRegister: true,
    state,
    redirect(url) {
      refuseInTheClear(url, server.url);
      // The browser keeps its connection until its page shows the outcome of the login.
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
      ? `. Its metadata is at ${elsewhere.href}, another origin, which was not requested`
      : '';
    const isUnknown = isReusable && store.state.client === undefined;
    const why = isUnknown ? unknownClient : `${messageOf(cause)}${hint}`;
    const failure = signal.aborted || cause instanceof PegboardError ? cause : failed(server, why, cause);
    listener.tell(visibleText(messageOf(signal.aborted ? signal.reason : failure)));
    signal.throwIfAborted();
    throw failure;
  }
}

const unknownClient =
  "the authorization server doesn't know its registration of Pegboard any more. Pegboard will register again: log in once more";

/** The addresses for which the client is registered. */
const redirectsOf = ({ state: { client } }: OAuthStore): readonly string[] =>
  client && 'redirect_uris' in client ? client.redirect_uris : [];

/** At the address for which the client is registered, if it is free. */
async function listenWhereRegistered(
  state: string,
  store: OAuthStore,
  { redirectPort }: McpOAuthConfig,
): Promise<RedirectListener> {
  const port = URL.parse(redirectsOf(store)[0] ?? '')?.port;
  if (redirectPort !== undefined || !port) return await listenForRedirect(state, redirectPort);
  return await listenForRedirect(state, Number(port)).catch(() => listenForRedirect(state));
}

/**
 * A server may accept some requests and refuse others. It demands a login if it refused any request, including one of
 * an earlier call, or publishes metadata about logins. Resolves with the address of its metadata if that is at another
 * origin.
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
    `You are not logged in: MCP server "${name}" accepts requests without a login, and names no place to sign in.`,
  );
}

/** Checks that the server accepts the token, and returns the permissions that it lacks. */
async function confirmed(
  server: LoginTargetServer,
  store: OAuthStore,
  asked: string | undefined,
  signal: AbortSignal,
): Promise<LoginOutcome> {
  const { access_token: token, scope: granted = asked } = store.state.tokens!;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw failed(server, 'the token from its authorization server does not fit into a header');
  await store.update({ asked, begun: undefined });
  const challenge = await probe(server.url, { ...server.headers, authorization: `Bearer ${token}` }, signal);
  if (challenge && !challenge.lacksScope)
    throw failed(server, 'it rejects the token from its authorization server (HTTP 401)');
  return { missing: scopesBeyond(granted, asked) };
}

async function refusalIn(answer: URLSearchParams, store: OAuthStore): Promise<Error> {
  const error = answer.get('error');
  const reason = answer.get('error_description') ?? error ?? 'the browser returned without a code';
  if (error === 'access_denied') await store.update({ begun: undefined });
  if (error !== 'invalid_scope') return new Error(`the authorization server refused (${reason})`);
  // An unknown scope would be requested each time.
  await store.update({ wanted: undefined, asked: undefined });
  return new Error(
    `the authorization server doesn't know the requested scope (${reason}). It will not be requested again: log in once more`,
  );
}

function failed({ name }: LoginTargetServer, why: string, cause?: unknown): PegboardError {
  const shown = shorten(visibleText(why).replaceAll(/\s+/g, ' '), maxReasonLength);
  return new PegboardError('PEG_SERVER_UNAUTHORIZED', `Logging in to MCP server "${name}" failed: ${shown}`, {
    cause,
  });
}
