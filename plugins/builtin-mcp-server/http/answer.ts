import type { IncomingMessage, ServerResponse } from 'node:http';
import { PegboardError, type HttpRoute } from 'pegboard';
import {
  contentRefusal,
  dropReservedFromRequests,
  healthPath,
  readBody,
  refusalOf,
  sendJson,
  type ServedPage,
  type UnauthenticatedLimit,
} from 'pegboard/serving';
import type { LoginServer } from '../login/login-server.ts';
import type { LoginPath } from '../login/paths.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';
import { eraOf } from './era-of.ts';
import { isToken, tokenOf, type AccessRules } from './guard.ts';
import { sendRefusal } from './http-reply.ts';
import { answerRoute, type PluginRoutes } from './plugin-routes.ts';
import { rootPath, type Route, type Routes } from './routes.ts';

export type PagePaths = Pick<ServedPage, 'has' | 'isLinkable' | 'handle' | 'isOwner'>;

/** Maximum open requests, including streams and running calls. */
export const maxRequests = 1_000;

/** Paths that other sites may send a browser to. */
const isPage = (path: LoginPath | undefined): boolean =>
  path?.kind === 'login' || path?.kind === 'approval' || path?.kind === 'resumed';

/** What a request is checked against, and who may answer it. */
export interface Reception {
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

/** Answers one request. Rejects when that fails. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { accessRules, login, page, added, routes, strangers, isCrowded }: Reception,
): Promise<void> {
  const answerAdded = async (route: HttpRoute): Promise<void> => {
    if (route.access !== 'public') strangers.admit(request.socket);
    await (isCrowded ? sendAway(response) : answerRoute(route, request, response));
  };
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
  const route = added?.find(request.url!);
  if (route?.access === 'owner' && page?.isOwner(request) !== true)
    return sendRefusal(response, 401, forOwner);
  if (route && route.access !== 'client') return await answerAdded(route);
  const token = tokenOf(request);
  const isKnown =
    isToken(token, accessRules.token) || (token !== undefined && (await login?.admits(token, path)));
  if (isKnown !== true) {
    const challenge = login?.challenge(path, token !== undefined) ?? 'Bearer realm="pegboard"';
    const message = token !== undefined && login ? otherToken : sendToken;
    return sendRefusal(response, 401, message, { headers: { 'WWW-Authenticate': challenge } });
  }
  if (route) return await answerAdded(route);
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
