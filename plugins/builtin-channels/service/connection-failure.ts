import { ChannelFailure } from '../failure.ts';

/** Error codes of connections that were not established. */
const neverReached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What became of a request that got no response: `notSent` if the service was certainly not reached, else `unknown`. */
export function connectionFailure(cause: unknown): ChannelFailure {
  const { code } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
  // That of a DOMException is a number, which says nothing.
  const named = typeof code === 'string' ? code : undefined;
  const isNotSent = named !== undefined && neverReached.has(named);
  const reason = named ?? (cause instanceof Error ? cause.message : String(cause));
  return new ChannelFailure(isNotSent ? 'notSent' : 'unknown', reason, { cause });
}
