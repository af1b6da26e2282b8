import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Additions, HttpRoute, Logger } from 'pegboard';
import { readBytes } from 'pegboard/serving';
import { sendRefusal } from './http-reply.ts';

/** The routes that plugins add. */
export interface PluginRoutes extends Disposable {
  /** The one with the longest path that a request's target is at or below, as its plugin reads it: without dots. */
  find(target: string): HttpRoute | undefined;
}

const accessWords: readonly unknown[] = ['public', 'client', 'owner'] satisfies HttpRoute['access'][];
const pathPattern = /^(?:\/[\w.-]+)+$/;
const maxBytes = { public: 1024 * 1024, client: 16 * 1024 * 1024, owner: 16 * 1024 * 1024 } as const;

/** Follows what plugins add. Wrong routes are left out with a warning; `isTaken`: paths that the server has itself. */
export async function openPluginRoutes(
  additions: Additions<HttpRoute>,
  isTaken: (path: string) => boolean,
  log: Pick<Logger, 'warn'>,
): Promise<PluginRoutes> {
  let routes: readonly HttpRoute[] = [];
  const read = async (): Promise<void> => {
    const found = new Map<string, HttpRoute>();
    for (const route of await additions.list()) {
      const { path } = route;
      const problem = problemOf(route, isTaken) ?? (found.has(path) ? 'another route has it' : undefined);
      if (problem === undefined) found.set(path, route);
      else log.warn('a route of a plugin is left out', { path, problem });
    }
    routes = [...found.values()].sort((a, b) => b.path.length - a.path.length);
  };
  await read();
  const changes = additions.onChange(() => {
    read().catch((cause: unknown) => log.warn('routes of plugins could not be read', { cause }));
  });
  return {
    find(target) {
      if (routes.length === 0) return undefined;
      const { pathname } = new URL(target, 'http://localhost');
      return routes.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
    },
    [Symbol.dispose]: () => changes[Symbol.dispose](),
  };
}

function problemOf({ path, access }: HttpRoute, isTaken: (path: string) => boolean): string | undefined {
  if (typeof path !== 'string' || !pathPattern.test(path)) return 'its path is not like /notes';
  if (!accessWords.includes(access)) return `its access is "${access}", not public, client or owner`;
  return isTaken(path) ? 'the server has this path itself' : undefined;
}

/** Answers a request that may use the route. Rejects with what the plugin throws. */
export async function answerRoute(
  route: HttpRoute,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const read = await readBytes(request, maxBytes[route.access]);
  if (read === undefined) return;
  if ('status' in read)
    return sendRefusal(response, read.status, read.message, { headers: { Connection: 'close' } });
  const answer = await route.handle(toRequest(request, read.bytes, gone.signal));
  if (!(answer instanceof Response)) throw new Error(`the route ${route.path} returned no Response`);
  if (response.destroyed) return;
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  for (const [name, value] of Object.entries(fixedHeaders)) response.setHeader(name, value);
  if (answer.body === null || request.method === 'HEAD') response.end();
  else await pipeline(Readable.fromWeb(answer.body as never), response, { signal: gone.signal });
}

/** An answer is of the page's origin. In a sandbox its scripts have an origin of their own, and can't act for the owner. */
const fixedHeaders: { readonly [name: string]: string } = {
  'Content-Security-Policy': "sandbox allow-scripts allow-forms allow-popups; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function toRequest(
  { method = 'GET', headers, rawHeaders, url = '/' }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const given = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!/^(?:connection|transfer-encoding|keep-alive|upgrade|expect)$/i.test(rawHeaders[at]!))
      given.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: given,
    signal,
    ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  });
}
