import type { Server } from 'node:http';
import { PegboardError, type Additions, type HttpRoute } from 'pegboard';
import { healthPath, limitUnauthenticated, listenOn, type SharedServing } from 'pegboard/serving';
import { answer, maxRequests, type PagePaths } from './answer.ts';
import { forgottenTexts, keepTexts, keptToken } from './kept-texts.ts';
import type { AccessRules } from './guard.ts';
import type { LoginServer, LoginServerOptions } from '../login/login-server.ts';
import { openCorrespondence } from '../hosts/correspondence.ts';
import type { SharedCodes } from '../login/pairing-code.ts';
import { sendRefusal } from './http-reply.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';
import { openPluginRoutes } from './plugin-routes.ts';
import { createRoutes, rootPath, type Routes } from './routes.ts';
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
