import { rootPath } from '../http/routes.ts';

/** Where clients and the owner's browser find what a login needs. */
export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  approval: '/oauth/approve',
} as const;
const resourceMetadata = '/.well-known/oauth-protected-resource';
const serverMetadata = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/** `login`: where other sites send a browser; then `approval`, the owner's form, then `resumed`. `registration` and `call`: clients ask them. `resource`: what RFC 9728 says of a path. */
export type LoginPath =
  | { readonly kind: 'login' | 'resumed' | 'approval' | 'registration' | 'call' }
  | { readonly kind: 'resource'; readonly of: string };

export function loginPathOf(path: string): LoginPath | undefined {
  if (path === resourceMetadata) return { kind: 'resource', of: rootPath };
  if (path.startsWith(`${resourceMetadata}/`))
    return { kind: 'resource', of: path.slice(resourceMetadata.length) };
  if (path.startsWith(`${paths.approval}/`)) return { kind: 'approval' };
  if (path === paths.authorization) return { kind: 'login' };
  if (path.startsWith(`${paths.authorization}/`)) return { kind: 'resumed' };
  if (path === paths.registration) return { kind: 'registration' };
  const { token, revocation, jwks } = paths;
  return [token, revocation, jwks, ...serverMetadata].includes(path) ? { kind: 'call' } : undefined;
}

export const resourceMetadataUrl = (origin: string, path: string): string =>
  `${origin}${resourceMetadata}${path}`;

/** Paths that a token can be for: `/mcp` and `/mcp/<name>`. */
export const isResourcePath = (path: string): boolean =>
  new RegExp(`^${rootPath}(/[A-Za-z0-9._-]+)?$`).test(path);
