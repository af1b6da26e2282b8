import type { IncomingHttpHeaders } from 'node:http';

/** Carries our token where Authorization is for a server behind us. */
export const tokenHeader = 'pegboard-token';
/** Says what the requests of one client have in common, in the protocol that has no sessions. */
export const sessionHeader = 'pegboard-session';

const longestName = 200;

/** A client's headers that an entry may pass on: all but our token. */
export function ownHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const ours = headers[tokenHeader] === undefined ? 'authorization' : tokenHeader;
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (name !== ours && typeof value === 'string') own[name] = value;
  return own;
}

export function sessionNameIn(headers: Readonly<Record<string, string>>): string | undefined {
  const name = headers[sessionHeader]?.trim();
  return name === undefined || name === '' ? undefined : name.slice(0, longestName);
}
