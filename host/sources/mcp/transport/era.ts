import type { DiscoverResult, PriorDiscovery } from '@modelcontextprotocol/client';
import { isObject } from './rpc-message.ts';

/** The protocol of a server: detected once, then remembered. */
export type Era =
  | { readonly kind: 'modern'; readonly discover: DiscoverResult }
  /** `learnedAt`: milliseconds since 1970. */
  | { readonly kind: 'legacy'; readonly learnedAt: number };

/** An upgraded server still answers the old handshake, so `legacy` is negotiated again after a week. */
const legacyHoldsMs = 7 * 24 * 60 * 60 * 1000;

/** What the SDK needs to skip asking the server. Undefined if it has to ask. */
export function toPrior(era: Era | undefined, now = Date.now()): PriorDiscovery | undefined {
  if (era?.kind === 'modern') return { kind: 'modern', discover: era.discover };
  return era && now - era.learnedAt < legacyHoldsMs ? { kind: 'legacy' } : undefined;
}

/** A confirmed `legacy` keeps its date: otherwise it would never expire. */
export function continued(before: Era | undefined, now: Era): Era {
  return before?.kind === 'legacy' && now.kind === 'legacy' && toPrior(before) ? before : now;
}

export function isEra(value: unknown): value is Era {
  if (!isObject(value)) return false;
  if (value['kind'] === 'modern') return isObject(value['discover']);
  return value['kind'] === 'legacy' && typeof value['learnedAt'] === 'number';
}
