import { isIP } from 'node:net';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isPrivateUrl } from 'pegboard/kit';
import type { ClientLogins, SharedLogins } from 'pegboard/serving';
import { createAdapters } from './adapter.ts';
import { messagePage, pageHeaders } from './approval-page.ts';
import { isResourcePath, paths } from './paths.ts';
import type { LoginKeys } from './login-keys.ts';
import { createRateLimit } from './rate-limit.ts';

export interface AuthorizationServerOptions {
  /** The public address, without a path: who issues the tokens, and what their resources begin with. */
  readonly origin: string;
  readonly logins: ClientLogins;
  /** The same, where several hosts share it. */
  readonly shared?: SharedLogins;
  readonly keys: LoginKeys;
  /** How pages that describe clients are fetched; `fetch` when absent. */
  readonly fetch?: typeof fetch;
  /** Called with what fails beside the answer to a client. */
  readonly onError: (cause: unknown) => void;
}

/** The only account. */
export const owner = 'owner';
/** Advertised, because some clients ask for nothing otherwise; a token opens its resource, whatever its scope. */
export const scope = 'mcp';

const hourSeconds = 3600;
const day = 24 * hourSeconds;
const ttl = {
  AccessToken: hourSeconds,
  AuthorizationCode: 60,
  Interaction: 600,
  Session: 600,
  RefreshToken: 30 * day,
  /** Until its code is redeemed. */
  Grant: 120,
};
/** Of a grant whose code was redeemed. */
const grantedSeconds = 365 * day;
const maxRedirectUris = 10;
const maxTextLength = 500;
/** A minute. */
const maxFetches = 20;

/** An OAuth 2.1 authorization server whose only user is the owner, who approves every login. */
export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<Provider> {
  const { default: ProviderClass, errors, interactionPolicy } = await importOidcProvider();
  const { origin, logins, shared, keys } = options;
  const fetches = createRateLimit(maxFetches, 60_000);

  const configuration: Configuration = {
    adapter: createAdapters(logins, shared, () => new errors.InvalidGrant('it was used already')),
    jwks: { keys: [{ ...keys.signing, alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [keys.cookies] },
    ttl,
    clockTolerance: 0,
    routes: {
      authorization: paths.authorization,
      token: paths.token,
      registration: paths.registration,
      revocation: paths.revocation,
      jwks: paths.jwks,
    },
    scopes: [scope],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      // Redirects to this machine and to schemes of apps are their clients' rule, not the exception.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    // The only hook that runs before the tokens are sent.
    issueRefreshToken: async ({ oidc }, client, source) => {
      if (source.kind === 'AuthorizationCode') await keepGrant(oidc.entities.Grant!);
      return client.grantTypeAllowed('refresh_token');
    },
    rotateRefreshToken: () => true,
    expiresWithSession: async () => false,
    findAccount: async (_ctx, id) =>
      id === owner ? { accountId: owner, claims: async () => ({ sub: owner }) } : undefined,
    // An earlier approval doesn't count for the next login: the owner is asked each time.
    loadExistingGrant: async (ctx) => {
      const granted = ctx.oidc.result?.consent?.grantId;
      return granted === undefined ? undefined : ctx.oidc.provider.Grant.find(granted);
    },
    renderError: async (ctx, { error, error_description: why }) => {
      ctx.set(pageHeaders());
      ctx.body = messagePage('This login is not possible', why ?? error);
    },
    interactions: {
      url: (_ctx, interaction) => `${paths.approval}/${interaction.uid}`,
      policy: askEachTime(interactionPolicy),
    },
    extraClientMetadata: {
      properties: ['pegboard_limits'],
      validator: (_ctx, _key, _value, metadata) => {
        const problem = problemOf(metadata as unknown as WrittenClient);
        if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
      },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => `${origin}/mcp`,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          const url = URL.parse(resource);
          if (`${url?.origin}${url?.pathname}` !== resource || url?.origin !== origin)
            throw new errors.InvalidTarget();
          // An unapproved client doesn't learn whether there is anything at the resource.
          if (!isResourcePath(url.pathname)) throw new errors.InvalidTarget();
          return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: ttl.AccessToken };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: async (_ctx: unknown, id: string) => isFetchable(id) && fetches.take(),
        cacheDuration: { min: 60, max: day },
      },
    },
    ...(options.fetch && { fetch: options.fetch }),
  };
  const provider = new ProviderClass(origin, configuration);
  // Clients know the configured URL, whatever proxy is in front of this server.
  provider.proxy = true;
  const giveBack = (ctx: KoaContextWithOIDC): void =>
    void keepRefreshToken(ctx, logins).catch((cause: unknown) => options.onError(cause));
  provider.on('grant.error', giveBack);
  provider.on('server_error', giveBack);
  return provider;
}

/** Its code was redeemed. */
async function keepGrant(grant: InstanceType<Provider['Grant']>): Promise<void> {
  grant.exp = Math.floor(Date.now() / 1000) + grantedSeconds;
  await grant.save();
}

/** A refused refresh doesn't consume the token: the library marks it as used before it checks the rest. */
async function keepRefreshToken({ oidc }: KoaContextWithOIDC, logins: ClientLogins): Promise<void> {
  const { RotatedRefreshToken: used, RefreshToken: unsent } = oidc?.entities ?? {};
  if (!used) return;
  await logins.restore('RefreshToken', used.jti);
  if (unsent) await logins.remove('RefreshToken', unsent.jti);
}

/** The owner is asked in every login, even with a session in the browser. */
function askEachTime(policy: typeof import('oidc-provider').interactionPolicy) {
  const { Check, Prompt, base } = policy;
  const prompts = base();
  prompts.remove('consent');
  prompts.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('owner_not_asked', 'the owner has to approve each login', 'consent_required', (ctx) =>
        ctx.oidc.result?.consent?.grantId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    ),
  );
  return prompts;
}

interface WrittenClient {
  readonly redirect_uris?: readonly string[];
  readonly client_name?: string;
  readonly sector_identifier_uri?: string;
}

/** Refuses what the protocol allows but nobody needs here. */
function problemOf({
  redirect_uris: redirects = [],
  client_name: name = '',
  sector_identifier_uri: sector,
}: WrittenClient): string | undefined {
  if (redirects.length > maxRedirectUris) return `there may be at most ${maxRedirectUris} redirect_uris`;
  if ([name, ...redirects].some((text) => text.length > maxTextLength))
    return `client_name and each of redirect_uris may have at most ${maxTextLength} characters`;
  if (sector !== undefined) return 'sector_identifier_uri is not supported';
  const refused = redirects.find((uri) => !leadsToClient(new URL(uri)));
  if (refused === undefined) return undefined;
  return `redirect_uris may be https, http to a loopback address, an app's scheme in reverse domain notation (com.example.app:/…), or one of ${appSchemes.join(', ')}; ${refused} is none of these`;
}

/** Schemes registered by known apps. A scheme without a dot could belong to anybody, or be handled by browsers. */
const appSchemes = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:'];

/** RFC 8252, 7.1 to 7.3. */
const leadsToClient = (url: URL): boolean =>
  isPrivateUrl(url) ||
  /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(url.protocol) ||
  appSchemes.includes(url.protocol);

/** Pages on the public web, under a name and at the usual port. The library looks at the address that is connected to. */
function isFetchable(id: string): boolean {
  const url = URL.parse(id);
  if (url?.protocol !== 'https:' || url.port !== '') return false;
  return url.hostname.includes('.') && isIP(url.hostname) === 0;
}

/** 0.2 s and 48 MB: loaded only where clients may log in. */
async function importOidcProvider(): Promise<typeof import('oidc-provider')> {
  // It warns of every Node that has no name of a long-term release, the one that a clone brings along included.
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
