import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { PegboardError, type Additions, type HttpRoute } from 'pegboard';
import {
  contentRefusal,
  dropReservedFromRequests,
  healthPath,
  limitUnauthenticated,
  listenOn,
  readBody,
  refusalOf,
  sendJson,
  type SharedServing,
  type UnauthenticatedLimit,
  type ServedPage,
} from 'pegboard/serving';
import { eraOf } from './era-of.ts';
import { forgottenTexts, keepTexts, keptToken } from './kept-texts.ts';
import { isToken, tokenOf, type AccessRules } from './guard.ts';
import type { LoginServer, LoginServerOptions } from '../login/login-server.ts';
import { openCorrespondence } from '../hosts/correspondence.ts';
import type { SharedCodes } from '../login/pairing-code.ts';
import type { LoginPath } from '../login/paths.ts';
import { sendRefusal } from './http-reply.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';
import { answerRoute, openPluginRoutes, type PluginRoutes } from './plugin-routes.ts';
import { createRoutes, rootPath, type Route, type Routes } from './routes.ts';
import type { ServedHost } from '../served-host.ts';
import { openSigner } from './signer.ts';

export interface HttpOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on; loopback when absent. */
  readonly address?: string;
  /**
   * The token that clients must send; absent: the one in `stateFolder`, which is generated at the first start. At least
   * 8 characters of visible ASCII.
   */
  readonly token?: string;
  /**
   * What the server offers: all of it on `/mcp`, the intersection with `<name>` on `/mcp/<name>`. Absent: everything.
   */
  readonly preset?: string;
  /** More host names, with port, by which clients may reach this server: "pegboard.local:7333". */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may call: "https://app.example". */
  readonly origins?: readonly string[];
  /**
   * Outside the home, because a home that is passed on would include its token and key. Contains the token, and the key
   * that lets sessions survive a restart.
   */
  readonly stateFolder?: string;
  /** What this server has in common with those of other hosts. Needs `stateFolder`. */
  readonly shared?: SharedServing;
  /** Other paths that this port answers. */
  readonly page?: PagePaths;
  /** Paths that plugins answer. */
  readonly added?: Additions<HttpRoute>;
  /** Clients that can't be given the token may log in, at this public address. Needs `stateFolder`. */
  readonly login?: Pick<LoginServerOptions, 'publicUrl' | 'fetch'>;
}

type PagePaths = Pick<ServedPage, 'has' | 'isLinkable' | 'handle' | 'isOwner'>;

export interface HttpServer {
  /** The URL of `/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Where clients log in, and the code that lets them in. */
  readonly login?: { readonly url: string; readonly code: string };
  /** Waits briefly for running calls; takes at most 2 s. */
  close(): Promise<void>;
}

/** An import of node:http would also load its WebSocket export: 14 MB and 25 ms. */
const { createServer } = process.getBuiltinModule('node:http');

const callsEndWithinMs = 1_000;
const closeWithinMs = 1_500;
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  /** By default Node checks for late requests only every 30 s. */
  connectionsCheckingInterval: 1_000,
};
/** Maximum open requests, including streams and running calls. */
const maxRequests = 1_000;

/**
 * Serves MCP over HTTP, both eras on every path. Throws PEG_CONFIG when it can't listen, PEG_USAGE for an unknown
 * preset.
 */
export async function serveHttp(host: ServedHost, options: HttpOptions): Promise<HttpServer> {
  const { stateFolder, shared } = options;
  const kept = stateFolder === undefined ? forgottenTexts : keepTexts(stateFolder, shared?.texts);
  await using opened = new AsyncDisposableStack();
  const hosts = shared && opened.use(await openCorrespondence(shared.openMail, host.log));
  const signer = await openSigner(kept);
  const routes = createRoutes(
    host,
    options.preset,
    signer,
    shared && hosts && { ended: shared.endedSessions, hosts },
  );
  routes.find(rootPath);
  const token = options.token ?? (await keptToken(kept));
  if (!/^[\x21-\x7e]{8,}$/.test(token)) {
    throw new PegboardError('PEG_CONFIG', 'A token has at least 8 characters, visible ASCII without spaces.');
  }
  const login = await openLogin(host, options, routes, hosts?.mail);
  let accessRules: AccessRules | undefined;
  let requests = 0;
  const server = createServer(limits, (request, response) => {
    response.once('close', () => requests--);
    const isCrowded = ++requests > maxRequests;
    const reception = { accessRules: accessRules!, login, page, added, routes, strangers, isCrowded };
    answer(request, response, reception).catch((cause: unknown) => {
      host.log.error('an HTTP request failed', { cause });
      if (response.headersSent) response.destroy();
      else if (cause instanceof PegboardError && cause.code === 'PEG_DATABASE')
        sendRefusal(response, 503, cause.message, { headers: { 'Retry-After': '1' } });
      else sendRefusal(response, 500, 'Internal error', { code: rpcCodes.internalError });
    });
  });
  const strangers = limitUnauthenticated(server);
  const { added: additions, page } = options;
  const isTaken = (path: string): boolean =>
    path === healthPath ||
    path === rootPath ||
    path.startsWith(`${rootPath}/`) ||
    login?.pathOf(path) !== undefined ||
    page?.has(path) === true;
  const added = additions && opened.use(await openPluginRoutes(additions, isTaken, host.log));
  const address = options.address ?? '127.0.0.1';
  const port = await listenOn(server, options.port, address).catch((cause: unknown) => {
    login?.[Symbol.dispose]();
    throw cause;
  });
  accessRules = {
    port,
    token: Buffer.from(token),
    hosts: [
      ...lower(options.hosts),
      `${bracketed(address)}:${port}`,
      ...(login ? [new URL(login.origin).host] : []),
    ],
    origins: [...lower(options.origins), ...(login ? [login.origin] : [])],
  };
  const open = opened.move();
  return {
    // Not "localhost": where that is another address too, another user of this machine may listen there.
    url: `http://${bracketed(address)}:${port}${rootPath}`,
    port,
    token,
    ...(login && { login: { url: `${login.origin}${rootPath}`, code: login.code } }),
    async close() {
      await close(server, routes);
      login?.[Symbol.dispose]();
      await open.disposeAsync();
    },
  };
}

async function openLogin(
  host: ServedHost,
  { login, stateFolder, shared }: HttpOptions,
  routes: Routes,
  mail: SharedCodes | undefined,
): Promise<LoginServer | undefined> {
  if (!login) return undefined;
  if (stateFolder === undefined)
    throw new PegboardError('PEG_CONFIG', 'Logins of clients need a state folder.');
  const { openLoginServer } = await import('../login/login-server.ts');
  const isServed = (path: string): boolean => isFound(routes, path);
  return openLoginServer({
    ...login,
    isServed,
    folder: stateFolder,
    ...(shared && mail && { shared: { logins: shared.logins, texts: shared.texts, codes: mail } }),
    log: host.log,
  });
}

function isFound(routes: Routes, path: string): boolean {
  try {
    return routes.find(path) !== undefined;
  } catch (cause) {
    if (cause instanceof PegboardError && cause.code === 'PEG_USAGE') return false;
    throw cause;
  }
}

/** Paths that other sites may send a browser to. */
const isPage = (path: LoginPath | undefined): boolean =>
  path?.kind === 'login' || path?.kind === 'approval' || path?.kind === 'resumed';

interface Reception {
  readonly accessRules: AccessRules;
  readonly login: LoginServer | undefined;
  readonly page: PagePaths | undefined;
  readonly added: PluginRoutes | undefined;
  readonly routes: Routes;
  readonly strangers: UnauthenticatedLimit;
  /** Refuses a request because too many are open. */
  readonly isCrowded: boolean;
}

const sendToken = 'Send the token of this server as "Authorization: Bearer …".';
const forOwner = 'Only the page of who is signed in may ask this: `dashboard` opens it.';
const otherToken =
  'The token is not valid for this path. A login token is valid for the path that it was issued for, until it expires: log in for this path, or send the token of this server.';

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { accessRules, login, page, added, routes, strangers, isCrowded }: Reception,
): Promise<void> {
  const refusal = refusalOf(
    request,
    accessRules,
    (linked) => isPage(login?.pathOf(linked)) || page?.isLinkable(linked) === true,
  );
  if (refusal) return sendRefusal(response, refusal.status, refusal.message);
  const path = request.url!.split('?')[0]!;
  if (request.url === healthPath && request.method === 'GET')
    return sendJson(response, 200, { status: 'ok' });
  const loginPath = login?.pathOf(path);
  if (login && loginPath) return isCrowded ? sendAway(response) : login.handle(loginPath, request, response);
  if (page?.has(path)) return isCrowded ? sendAway(response) : page.handle(request, response, strangers);
  const route = added?.find(path);
  if (route?.access === 'public')
    return isCrowded ? sendAway(response) : await answerRoute(route, request, response);
  if (route?.access === 'owner') {
    if (page?.isOwner(request) !== true) return sendRefusal(response, 401, forOwner);
    strangers.admit(request.socket);
    return isCrowded ? sendAway(response) : await answerRoute(route, request, response);
  }
  const token = tokenOf(request);
  const isKnown =
    isToken(token, accessRules.token) || (token !== undefined && (await login?.admits(token, path)));
  if (isKnown !== true) {
    const challenge = login?.challenge(path, token !== undefined) ?? 'Bearer realm="pegboard"';
    const message = token !== undefined && login ? otherToken : sendToken;
    return sendRefusal(response, 401, message, { headers: { 'WWW-Authenticate': challenge } });
  }
  if (route) {
    strangers.admit(request.socket);
    return isCrowded ? sendAway(response) : await answerRoute(route, request, response);
  }
  const unfit = contentRefusal(request);
  if (unfit) return sendRefusal(response, unfit.status, unfit.message);
  strangers.admit(request.socket);
  if (isCrowded) return sendAway(response);
  const served = findRoute(routes, path, response);
  if (!served) return;
  if (!['GET', 'POST', 'DELETE'].includes(request.method!)) {
    return sendRefusal(response, 405, 'Method not allowed.', { headers: { Allow: 'GET, POST, DELETE' } });
  }
  let json: unknown;
  if (request.method === 'POST') {
    const body = await readBody(request);
    if (body === undefined) return;
    if ('status' in body) {
      const code = body.status === 400 ? rpcCodes.parseError : rpcCodes.refused;
      return sendRefusal(response, body.status, body.message, { code, headers: { Connection: 'close' } });
    }
    json = body.json;
    dropReservedFromRequests(json);
  }
  const era = eraOf(request, json);
  await (era === 'modern' ? served.modern : served.sessions).handle(request, response, json);
}

function sendAway(response: ServerResponse): void {
  const message = `This server answers at most ${maxRequests} requests and streams at a time. Close some, or try again later.`;
  sendRefusal(response, 503, message, { headers: { 'Retry-After': '1', Connection: 'close' } });
}

function findRoute(routes: Routes, path: string, response: ServerResponse): Route | undefined {
  try {
    const route = routes.find(path);
    if (!route) sendRefusal(response, 404, `Nothing is served here; MCP is at ${rootPath}.`);
    return route;
  } catch (cause) {
    if (!(cause instanceof PegboardError)) throw cause;
    sendRefusal(response, 404, cause.message);
    return undefined;
  }
}

const lower = (names: readonly string[] = []): string[] => names.map((name) => name.toLowerCase());
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Stops accepting connections, waits briefly for calls, ends streams, then closes every connection. */
async function close(server: Server, routes: Routes): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), closeWithinMs);
  await routes.idle(callsEndWithinMs);
  await routes[Symbol.asyncDispose]();
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}
