import { computeScopeUnion } from '@modelcontextprotocol/client';
import type { McpOAuthConfig } from '../config.ts';
import type { OAuthStore } from './oauth-store.ts';

/**
 * No login requests less than an earlier one: otherwise a login for one call would remove the permissions of another.
 */
export function scopeToAskFor(
  { scopes }: McpOAuthConfig,
  { state }: Pick<OAuthStore, 'state'>,
): string | undefined {
  const { asked, challenged, wanted } = state;
  return computeScopeUnion(scopes ? scopes.join(' ') : computeScopeUnion(asked, challenged?.scope), wanted);
}

/** Those of `wanted` that are not among `granted`. */
export const scopesBeyond = (granted: string | undefined, wanted: string | undefined): readonly string[] => {
  const has = new Set(granted?.split(' '));
  return (wanted ?? '').split(' ').filter((scope) => scope !== '' && !has.has(scope));
};
