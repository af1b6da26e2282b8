import type { IncomingHttpHeaders } from 'node:http';
import type { McpClient } from 'pegboard/serving';

/** Contains our token when Authorization is for an upstream server. */
export const tokenHeader = 'pegboard-token';
/** Groups the requests of one client, in the protocol without sessions. */
const sessionHeader = 'pegboard-session';

const maxNameLength = 200;

/** The client's token for us: in a header of its own where Authorization is for an upstream server. */
export function tokenIn({ [tokenHeader]: own, authorization = '' }: IncomingHttpHeaders): string | undefined {
  if (own !== undefined) return /^[\x21-\x7e]+$/.exec(String(own))?.[0];
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

/** The client's headers that an entry may pass on: all that don't contain our token, whatever their names. */
function ownHeaders(headers: IncomingHttpHeaders): McpClient['headers'] {
  const ours = headers[tokenHeader] === undefined ? 'authorization' : tokenHeader;
  const token = tokenIn(headers);
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (name !== ours && typeof value === 'string' && !holds(value, token)) own[name] = value;
  return own;
}

/** Contained literally, or in the encoded value of Basic. */
function holds(value: string, token: string | undefined): boolean {
  if (token === undefined) return false;
  if (value.includes(token)) return true;
  return value.split(/\s+/).some((word) => Buffer.from(word, 'base64').includes(token));
}

/** The client, whose headers are filtered only when they are read: most calls don't need them. */
export function withClientHeaders(
  client: Omit<McpClient, 'headers'>,
  headers: IncomingHttpHeaders,
): McpClient {
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
