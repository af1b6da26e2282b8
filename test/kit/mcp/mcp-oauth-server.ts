import { createHash, randomUUID, verify, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readBody } from '../../../host/testing/http-server.ts';
import { answerMcp, type McpMessage } from './mcp-json-server.ts';

/** An authorization server and an MCP server that it protects, at one address. */
export interface OAuthServer extends AsyncDisposable {
  readonly url: string;
  /** Requests to each path so far. */
  readonly requests: ReadonlyMap<string, number>;
  /** Tool calls so far, whatever their outcome. */
  calls(): number;
  /** Invalidates all access tokens issued so far, or also those issued later. */
  expireTokens(options?: { readonly newOnesToo?: boolean }): void;
  /** Scopes that logins requested. */
  readonly asked: readonly string[];
  /** Ids of the clients that started a login. */
  readonly clients: readonly string[];
  /** From now on calls need a token with this scope. */
  requireScope(scope: string): void;
  /** This scope is never granted, although it may be requested. */
  withhold(scope: string): void;
  /** Requesting this scope is an error. */
  refuseScope(scope: string): void;
  /** No client that has registered so far is known any more. */
  forgetClients(): void;
  /** From now on, logins are denied: `?error=access_denied`. */
  denyLogins(): void;
  /** From now on, exchanges of codes fail with this description; undefined: they succeed. */
  failExchanges(description: string | undefined, error?: string): void;
}

export interface OAuthServerOptions {
  /** Which messages need a token; all of them. */
  readonly guards?: (message: McpMessage) => boolean;
  /** Its responses don't include the granted scopes. */
  readonly silentAboutScope?: boolean;
  /** The address that it names for its metadata, which are also at the well-known address. */
  readonly namesMetadataAt?: string;
  /** It accepts the address of a page as a client id. */
  readonly takesClientPages?: boolean;
  /** A client that signs in without a user. */
  readonly machine?: { readonly id: string; readonly secret?: string; readonly key?: KeyObject };
}

export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const { guards = () => true, silentAboutScope = false, takesClientPages = false, machine } = options;
  const { namesMetadataAt } = options;
  const requests = new Map<string, number>();
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly scope: string }
  >();
  const refreshTokens = new Set<string>();
  const asked: string[] = [];
  const seen: string[] = [];
  let accessTokens = new Map<string, string>();
  let required: string | undefined;
  let withheld: string | undefined;
  let refused: string | undefined;
  let exchangeError = 'invalid_grant';
  let deny = false;
  let calls = 0;
  let takesNone = false;
  let exchangeFailure: string | undefined;

  const tokens = (scope: string): Record<string, unknown> => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    accessTokens.set(access, scope);
    refreshTokens.add(refresh);
    const told = silentAboutScope ? {} : { scope };
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600, ...told };
  };
  const grantedOf = (scope: string): string =>
    scope
      .split(' ')
      .filter((one) => one !== withheld)
      .join(' ');
  const knowsMachine = (form: URLSearchParams, authorization = ''): boolean => {
    const { id, secret, key } = machine ?? {};
    if (secret !== undefined) return authorization === `Basic ${btoa(`${id}:${secret}`)}`;
    const [head, body, signature = ''] = (form.get('client_assertion') ?? '').split('.');
    const signed = Buffer.from(`${head}.${body}`);
    const options = { key: key!, dsaEncoding: 'ieee-p1363' } as const;
    const { sub, aud } = JSON.parse(Buffer.from(body!, 'base64url').toString()) as Record<string, string>;
    return (
      verify('sha256', signed, options, Buffer.from(signature, 'base64url')) &&
      sub === id &&
      aud === server.url
    );
  };
  const redeem = (form: URLSearchParams, authorization?: string): object | 'invalid_client' | undefined => {
    if (form.get('grant_type') === 'client_credentials') {
      if (!knowsMachine(form, authorization)) return 'invalid_client';
      const scope = form.get('scope') ?? '';
      asked.push(scope);
      const { refresh_token: _, ...granted } = tokens(grantedOf(scope));
      return granted;
    }
    if (form.get('grant_type') === 'refresh_token') {
      return refreshTokens.delete(form.get('refresh_token') ?? '') ? tokens('tools') : undefined;
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return code?.challenge === challenge && code.redirect === form.get('redirect_uri')
      ? tokens(code.scope)
      : undefined;
  };

  const server = await listen((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, server.url);
    requests.set(url.pathname, (requests.get(url.pathname) ?? 0) + 1);
    const body = await readBody(request);
    const json = (value: unknown, status = 200, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case namesMetadataAt === undefined ? '/metadata' : '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: `${server.url}/mcp`, authorization_servers: [server.url] });
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: server.url,
          authorization_endpoint: `${server.url}/authorize`,
          token_endpoint: `${server.url}/token`,
          registration_endpoint: `${server.url}/register`,
          client_id_metadata_document_supported: takesClientPages,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        });
      case '/register': {
        const client = JSON.parse(body) as { redirect_uris: string[] };
        const id = randomUUID();
        clients.set(id, client.redirect_uris);
        return json({ ...client, client_id: id }, 201);
      }
      case '/authorize': {
        const query = url.searchParams;
        const redirect = query.get('redirect_uri')!;
        const client = query.get('client_id')!;
        const isPage = takesClientPages && client.startsWith('https://');
        if (!isPage && !clients.get(client)?.includes(redirect)) return json({}, 400);
        seen.push(client);
        const back = new URL(redirect);
        back.searchParams.set('state', query.get('state')!);
        const code = randomUUID();
        const scopes = (query.get('scope') ?? '').split(' ');
        if (refused !== undefined && scopes.includes(refused))
          back.searchParams.set('error', 'invalid_scope');
        else if (deny) back.searchParams.set('error', 'access_denied');
        else back.searchParams.set('code', code);
        asked.push(query.get('scope') ?? '');
        codes.set(code, {
          challenge: query.get('code_challenge')!,
          redirect,
          scope: grantedOf(query.get('scope') ?? ''),
        });
        response.writeHead(302, { location: back.href });
        return void response.end();
      }
      case '/token': {
        if (exchangeFailure !== undefined)
          return json({ error: exchangeError, error_description: exchangeFailure }, 400);
        const granted = redeem(new URLSearchParams(body), request.headers.authorization);
        if (granted === 'invalid_client') return json({ error: granted }, 401);
        return granted ? json(granted) : json({ error: 'invalid_grant' }, 400);
      }
      case '/mcp': {
        const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
        if (request.method === 'POST' && (JSON.parse(body) as McpMessage).method === 'tools/call') calls++;
        const guarded = request.method === 'POST' && guards(JSON.parse(body) as McpMessage);
        if (guarded && (takesNone || !accessTokens.has(token))) {
          return json({}, 401, {
            'www-authenticate': `Bearer resource_metadata="${namesMetadataAt ?? `${server.url}/metadata`}", scope="tools"`,
          });
        }
        if (guarded && required !== undefined && !accessTokens.get(token)!.split(' ').includes(required)) {
          const challenge = `Bearer error="insufficient_scope", scope="${required}"`;
          return json({}, 403, { 'www-authenticate': challenge });
        }
        if (request.method !== 'POST') return json({}, 405);
        const message = JSON.parse(body) as McpMessage;
        if (message.id === undefined) return void response.writeHead(202).end();
        return json({ jsonrpc: '2.0', id: message.id, ...answerMcp(message) });
      }
      default:
        return json({}, 404);
    }
  };
  return {
    url: server.url,
    requests,
    asked,
    clients: seen,
    requireScope: (scope) => void (required = scope),
    calls: () => calls,
    expireTokens({ newOnesToo = false } = {}) {
      accessTokens = new Map();
      takesNone = newOnesToo;
    },
    withhold: (scope) => void (withheld = scope),
    refuseScope: (scope) => void (refused = scope),
    forgetClients: () => clients.clear(),
    denyLogins: () => void (deny = true),
    failExchanges(description, error = 'invalid_grant') {
      exchangeFailure = description;
      exchangeError = error;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
