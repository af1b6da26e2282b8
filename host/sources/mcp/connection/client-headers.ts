import { PegboardError } from '../../../core/errors.ts';
import type { McpServerConfig } from '../config.ts';

const reference = /\$\{header:([A-Za-z0-9!#$%&'*+.^_`|~-]+)(?::-([^}]*))?\}/g;
const within = /\$\{header:/;

/** The client headers that an entry passes on, each once, as written there. */
export function headersOfClient({ headers, env }: McpServerConfig): readonly string[] {
  const texts = [...Object.values(headers ?? {}), ...Object.values(env ?? {})];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(reference)].map(([, header]) => header!)))];
}

/** Whether there are any without which the server can't be connected. */
export function needsClient({ headers, env }: McpServerConfig): boolean {
  const texts = [...Object.values(headers ?? {}), ...Object.values(env ?? {})];
  return texts.some((text) => [...text.matchAll(reference)].some(([, , fallback]) => fallback === undefined));
}

export interface FillHeaders {
  readonly server: string;
  /** "headers.Authorization" */
  readonly key: string;
  /** The headers of the client; undefined when there is no MCP client. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Splits a text at each `${header:NAME}`, passes the rest to `fill`, and inserts the client's values: what a client
 * sends is never read as one of our variables. Throws PEG_MISSING_VARIABLE.
 */
export function fillHeaders(text: string, fill: (text: string) => string, options: FillHeaders): string {
  if (!within.test(text)) return fill(text);
  const { server, key, headers } = options;
  let filled = '';
  let end = 0;
  for (const found of text.matchAll(reference)) {
    const [whole, header = '', fallback] = found;
    const value = headers?.[header.toLowerCase()] || fallback;
    if (value === undefined) throw missingHeader(server, key, header, headers !== undefined);
    filled += fill(text.slice(end, found.index)) + value;
    end = found.index + whole.length;
  }
  return filled + fill(text.slice(end));
}

function missingHeader(server: string, key: string, header: string, isClient: boolean): PegboardError {
  const own = header.toLowerCase() === 'authorization';
  const why = isClient
    ? `which this client did not send${own ? ' in addition to the token for Pegboard: send that token as Pegboard-Token, so that Authorization is free for this server' : ''}. Add it to the headers of Pegboard in the client's configuration`
    : 'and this call does not come from an MCP client over HTTP';
  return new PegboardError(
    'PEG_MISSING_VARIABLE',
    `MCP server "${server}": ${key} needs the header ${header} of the calling client, ${why}, or write \${header:${header}:-default} in the server's entry.`,
    { data: { server, key, header } },
  );
}

/** Anywhere else, a client could choose what is started, or where secrets are sent. */
export function refuseHeadersElsewhere(server: string, key: string, text: string): void {
  if (!within.test(text)) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `MCP server "${server}": \${header:…} is not allowed in ${key}, where a client would choose what is started or where it is sent. Use it in the values of headers and env.`,
  );
}
