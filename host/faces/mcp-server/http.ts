import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { dropReservedFromRequests } from '../../core/foreign/reserved-meta.ts';
import { readBody } from './body.ts';
import { limitStrangers, type Strangers } from './connections.ts';
import { eraOf } from './era-of.ts';
import { keptText } from './kept-text.ts';
import { healthPath, refusalOf, type Gate } from './guard.ts';
import { refuse, sendJson } from './reply.ts';
import { rpcCodes } from './rpc-error.ts';
import { createRoutes, rootPath, type Route, type Routes } from './routes.ts';
import type { ServedHost } from './served-host.ts';
import { openSigner } from './signer.ts';

export interface HttpOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on; loopback when absent. */
  readonly address?: string;
  /** What clients must present; absent: the one in `stateFolder`, which is generated at the first start. At least 8 characters of visible ASCII. */
  readonly token?: string;
  /** What the server offers, on every path: `/mcp` all of it, `/mcp/<name>` what the two have in common. Absent: everything. */
  readonly preset?: string;
  /** More host names, with port, by which clients may reach this server: "pegboard.local:7333". */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may call: "https://app.example". */
  readonly origins?: readonly string[];
  /** Outside of the home, or a home that somebody sends would bring its token and key along. Keeps the token, and the key that lets sessions survive a restart. */
  readonly stateFolder?: string;
}

export interface HttpServer {
  /** Of `/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Calls in flight get a moment to end; done within 2 s. */
  close(): Promise<void>;
}

/** To import it would also load what stands behind its WebSocket export: 14 MB and 25 ms. */
const { createServer } = process.getBuiltinModule('node:http');

const callsEndWithinMs = 1_000;
const closeWithinMs = 1_500;
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  /** Without this Node looks for those that are late every 30 s only. */
  connectionsCheckingInterval: 1_000,
};
const mostStrangers = 512;
/** Open at the same time, streams and calls that run included. */
const mostRequests = 1_000;

const tokenFile = 'serve-token';

/** The same at each start, so that what was pasted into clients goes on working. */
async function openToken(folder: string | undefined): Promise<string> {
  const fresh = (): string => randomBytes(32).toString('base64url');
  return folder === undefined ? fresh() : keptText(join(folder, tokenFile), fresh);
}

/** Serves MCP over HTTP, both eras on every path. Throws PEG_CONFIG when it can't listen, PEG_USAGE for an unknown preset. */
export async function serveHttp(host: ServedHost, options: HttpOptions): Promise<HttpServer> {
  const signer = await openSigner(options.stateFolder);
  const routes = createRoutes(host, options.preset, signer);
  routes.find(rootPath);
  const token = options.token ?? (await openToken(options.stateFolder));
  if (!/^[\x21-\x7e]{8,}$/.test(token)) {
    throw new PegboardError('PEG_CONFIG', 'A token has at least 8 characters, visible ASCII without spaces.');
  }
  let gate: Gate | undefined;
  let requests = 0;
  const server = createServer(limits, (request, response) => {
    response.once('close', () => requests--);
    const isCrowded = ++requests > mostRequests;
    answer(request, response, { gate: gate!, routes, strangers, isCrowded }).catch((cause: unknown) => {
      host.log.error('an HTTP request failed', { cause });
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Internal error', { code: rpcCodes.internalError });
    });
  });
  const strangers = limitStrangers(server, mostStrangers);
  const address = options.address ?? '127.0.0.1';
  const port = await listen(server, options.port, address);
  gate = {
    port,
    token: Buffer.from(token),
    hosts: [...lower(options.hosts), `${bracketed(address)}:${port}`],
    origins: lower(options.origins),
  };
  const shown = address === '127.0.0.1' ? 'localhost' : bracketed(address);
  return { url: `http://${shown}:${port}${rootPath}`, port, token, close: () => close(server, routes) };
}

interface Reception {
  readonly gate: Gate;
  readonly routes: Routes;
  readonly strangers: Strangers;
  /** No more requests are taken just now. */
  readonly isCrowded: boolean;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, routes, strangers, isCrowded }: Reception,
): Promise<void> {
  const refusal = refusalOf(request, gate);
  if (refusal) {
    const challenge = refusal.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="pegboard"' } : {};
    return refuse(response, refusal.status, refusal.message, { headers: challenge });
  }
  const path = request.url!.split('?')[0]!;
  if (path === healthPath) return sendJson(response, 200, { status: 'ok' });
  strangers.admit(request.socket);
  if (isCrowded) {
    const message = `This server answers at most ${mostRequests} requests and streams at a time. Close some, or try again later.`;
    return refuse(response, 503, message, { headers: { 'Retry-After': '1', Connection: 'close' } });
  }
  const route = findRoute(routes, path, response);
  if (!route) return;
  if (!['GET', 'POST', 'DELETE'].includes(request.method!)) {
    return refuse(response, 405, 'Method not allowed.', { headers: { Allow: 'GET, POST, DELETE' } });
  }
  let json: unknown;
  if (request.method === 'POST') {
    const body = await readBody(request);
    if (body === undefined) return;
    if ('status' in body) {
      const code = body.status === 400 ? rpcCodes.parseError : rpcCodes.refused;
      return refuse(response, body.status, body.message, { code, headers: { Connection: 'close' } });
    }
    json = body.json;
    dropReservedFromRequests(json);
  }
  const era = eraOf(request, json);
  await (era === 'modern' ? route.modern : route.sessions).handle(request, response, json);
}

function findRoute(routes: Routes, path: string, response: ServerResponse): Route | undefined {
  try {
    const route = routes.find(path);
    if (!route) refuse(response, 404, `There is nothing here; MCP is at ${rootPath}.`);
    return route;
  } catch (cause) {
    if (!(cause instanceof PegboardError)) throw cause;
    refuse(response, 404, cause.message);
    return undefined;
  }
}

async function listen(server: Server, port: number, address: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, address, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new PegboardError('PEG_CONFIG', explain(cause as NodeJS.ErrnoException, port, address), { cause });
  }
  server.off('error', reject);
  return (server.address() as AddressInfo).port;
}

function explain(cause: NodeJS.ErrnoException, port: number, address: string): string {
  switch (cause.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use. Choose another one, or stop what listens there.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${address} is no address of this machine.`;
    default:
      return `Listening on ${address}:${port} failed: ${messageOf(cause)}`;
  }
}

const lower = (names: readonly string[] = []): string[] => names.map((name) => name.toLowerCase());
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** No new connections; calls get their moment; streams end; then everything is cut. */
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
