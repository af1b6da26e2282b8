import { timingSafeEqual } from 'node:crypto';
import { countOf, type Head, type RequestRules } from 'pegboard/serving';
import { tokenHeader, tokenIn } from './own-headers.ts';

/** Which requests are accepted. */
export interface AccessRules extends RequestRules {
  readonly token: Buffer;
}

/** The token from the request's header, the only place where it is accepted. */
export function tokenOf(request: Head): string | undefined {
  const header = request.headers[tokenHeader] === undefined ? 'authorization' : tokenHeader;
  return countOf(request, header) === 1 ? tokenIn(request.headers) : undefined;
}

/** In constant time for tokens of the right length, which is not a secret. */
export function isToken(given: string | undefined, token: Buffer): boolean {
  if (given === undefined || given.length !== token.length) return false;
  return timingSafeEqual(Buffer.from(given), token);
}
