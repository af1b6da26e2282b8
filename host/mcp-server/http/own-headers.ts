import type { IncomingHttpHeaders } from 'node:http';
import type { McpClient } from '../../api/mcp/peer.ts';

/** Carries our token where Authorization is for a server behind us. */
export const tokenHeader = 'pegboard-token';
/** Says what the requests of one client have in common, in the protocol that has no sessions. */
export const sessionHeader = 'pegboard-session';

const maxNameLength = 200;

/** What a client shows us: by itself where Authorization is for somebody else. */
export function tokenIn({ [tokenHeader]: own, authorization = '' }: IncomingHttpHeaders): string | undefined {
  if (own !== undefined) return /^[\x21-\x7e]+$/.exec(String(own))?.[0];
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

/** A client's headers that an entry may pass on: all in which our token isn't, whatever they are called. */
function ownHeaders(headers: IncomingHttpHeaders): McpClient['headers'] {
  const ours = headers[tokenHeader] === undefined ? 'authorization' : tokenHeader;
  const token = tokenIn(headers);
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (name !== ours && typeof value === 'string' && !holds(value, token)) own[name] = value;
  return own;
}

/** As it is, or in what Basic encodes. */
function holds(value: string, token: string | undefined): boolean {
  if (token === undefined) return false;
  if (value.includes(token)) return true;
  return value.split(/\s+/).some((word) => Buffer.from(word, 'base64').includes(token));
}

/** The client, with its headers looked through when somebody asks for them: for most calls nobody does. */
export function withOwnHeaders(client: Omit<McpClient, 'headers'>, headers: IncomingHttpHeaders): McpClient {
  let own: McpClient['headers'] | undefined;
  return {
    ...client,
    get headers() {
      return (own ??= ownHeaders(headers));
    },
  };
}

export function sessionNameIn(headers: IncomingHttpHeaders): string | undefined {
  if (headers[sessionHeader] === undefined) return undefined;
  const name = ownHeaders(headers)[sessionHeader]?.trim();
  return name === undefined || name === '' ? undefined : name.slice(0, maxNameLength);
}
