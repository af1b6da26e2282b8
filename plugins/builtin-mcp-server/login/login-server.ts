import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, PegboardError } from 'pegboard';
import { isPrivateUrl } from 'pegboard/kit';
import {
  clientLoginsFile,
  maxUnauthenticatedBytes,
  openClientLogins,
  sendJson,
  type SharedLogins,
  type SharedTexts,
} from 'pegboard/serving';
import { sendRefusal } from '../http/http-reply.ts';
import { createApproval } from './approval.ts';
import { createAuthorizationServer, scope, type AuthorizationServerOptions } from './authorization-server.ts';
import { askForOwnScope, registerOwnScope, withShortBody } from './own-scope.ts';
import { openLoginKeys } from './login-keys.ts';
import { createPairingCode, type SharedCodes } from './pairing-code.ts';
import { isResourcePath, loginPathOf, resourceMetadataUrl, type LoginPath } from './paths.ts';
import { createRateLimit } from './rate-limit.ts';

/** Logins for clients that can't be given a token by hand. */
export interface LoginServer extends Disposable {
  /** "https://pegboard.example" */
  readonly origin: string;
  /** The code that the owner enters to approve a client. */
  readonly code: string;
  pathOf(path: string): LoginPath | undefined;
  /** Answers a request to one of its paths. */
  handle(path: LoginPath, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Whether the token is valid for this path of the server. */
  admits(token: string, path: string): Promise<boolean>;
  /** What a client without a token, or with one that doesn't open the path, needs to log in. */
  challenge(path: string, hadToken: boolean): string;
}

export interface LoginServerOptions extends Pick<AuthorizationServerOptions, 'fetch'> {
  /** Whether there is anything to use at this path. */
  readonly isServed: (path: string) => boolean;
  readonly publicUrl: string;
  /** The owner's, outside of the home. */
  readonly folder: string;
  /** What several hosts share; absent: everything is in `folder`, or in memory. */
  readonly shared?: {
    readonly logins: SharedLogins;
    readonly texts: SharedTexts;
    readonly codes: SharedCodes;
  };
  readonly log: Logger;
}

/** A minute. */
const maxRegistrations = 30;
/** In seconds: longer than a login can last. */
const wrongCodesKept = 3600;

/** Throws PEG_CONFIG for a public address that no login can be safe at, and PEG_DATABASE. */
export async function openLoginServer(options: LoginServerOptions): Promise<LoginServer> {
  const { folder, shared, log, isServed } = options;
  const origin = toOrigin(options.publicUrl);
  const logins = shared?.logins ?? (await openClientLogins(clientLoginsFile(folder)));
  const keys = await openLoginKeys(shared?.texts);
  const provider = await createAuthorizationServer({
    origin,
    logins,
    keys,
    ...(shared && { shared: shared.logins }),
    ...(options.fetch && { fetch: options.fetch }),
    onError: (cause) => log.warn('a refused refresh token could not be given back', { cause }),
  });
  const code = await createPairingCode(shared?.codes);
  const countWrongCode = shared
    ? (login: string) =>
        shared.logins.count('WrongCodes', login, Math.floor(Date.now() / 1000) + wrongCodesKept)
    : countInMemory();
  const approve = createApproval(provider, { code, secret: keys.forms, countWrongCode, isServed, log });
  const answer = provider.callback();
  const registrations = createRateLimit(maxRegistrations, 60_000);
  provider.on('server_error', (_ctx, cause) => log.error('a login failed', { cause }));

  const register = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!registrations.take())
      return sendRefusal(response, 429, 'Too many clients register at once.', {
        headers: { 'Retry-After': '60' },
      });
    if (request.method !== 'POST') return answer(request, response);
    const registration = await registerOwnScope(request);
    if (registration) return answer(registration, response);
    sendJson(
      response,
      400,
      { error: 'invalid_client_metadata', error_description: 'it is not a JSON object of at most 4 KiB' },
      { Connection: 'close' },
    );
  };

  return {
    origin,
    code: code.shown,
    pathOf: loginPathOf,
    async handle(path, request, response) {
      if (path.kind === 'resource') return describe(path.of, origin, request, response);
      claim(request, origin);
      if (path.kind === 'approval') return approve(request, response);
      if (path.kind === 'registration') return register(request, response);
      if (path.kind === 'login') askForOwnScope(request);
      const whole = await withShortBody(request);
      if (whole) return await answer(whole, response);
      sendRefusal(response, 413, `A request may have at most ${maxUnauthenticatedBytes} bytes.`, {
        headers: { Connection: 'close' },
      });
    },
    async admits(token, path) {
      const found = await provider.AccessToken.find(token);
      if (!found || found.isExpired || found.aud !== `${origin}${path}`) return false;
      return (await provider.Grant.find(found.grantId)) !== undefined;
    },
    challenge(path, hadToken) {
      const where = resourceMetadataUrl(origin, isResourcePath(path) ? path : '/mcp');
      const error = hadToken ? 'error="invalid_token", ' : '';
      return `Bearer realm="pegboard", ${error}resource_metadata="${where}", scope="${scope}"`;
    },
    [Symbol.dispose]: () => logins[Symbol.dispose](),
  };
}

/** Of so many logins at most. */
const maxCounted = 1_000;

function countInMemory(): (login: string) => Promise<number> {
  const counts = new Map<string, number>();
  return async (login) => {
    const count = (counts.get(login) ?? 0) + 1;
    if (counts.size >= maxCounted) counts.delete(counts.keys().next().value!);
    counts.set(login, count);
    return count;
  };
}

/** RFC 9728. */
function describe(path: string, origin: string, request: IncomingMessage, response: ServerResponse): void {
  if (!isResourcePath(path)) return sendRefusal(response, 404, 'There is nothing here.');
  if (request.method !== 'GET')
    return sendRefusal(response, 405, 'Method not allowed.', { headers: { Allow: 'GET' } });
  sendJson(response, 200, {
    resource: `${origin}${path}`,
    authorization_servers: [origin],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Pegboard',
  });
}

/** The server's public address comes from the configuration, not from the request. */
function claim({ headers }: IncomingMessage, origin: string): void {
  const { protocol, host } = new URL(origin);
  for (const name of Object.keys(headers)) if (name.startsWith('x-forwarded-')) delete headers[name];
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
}

function toOrigin(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  if (url && isPrivateUrl(url) && url.href === `${url.origin}/`) return url.origin;
  throw new PegboardError(
    'PEG_CONFIG',
    `serve.oauth.publicUrl must be an https:// address without a path, such as https://pegboard.example, or http:// with a loopback name; "${publicUrl}" is not.`,
  );
}
