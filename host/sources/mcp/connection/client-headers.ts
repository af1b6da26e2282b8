import { PegboardError } from '../../../core/errors.ts';
import type { McpServerConfig } from '../config.ts';

const reference = /\$\{header:([A-Za-z0-9!#$%&'*+.^_`|~-]+)(?::-([^}]*))?\}/g;
const within = /\$\{header:/;

/** The headers of a client that an entry passes on, each once, as they are written there. */
export function headersOfClient({ headers, env }: McpServerConfig): readonly string[] {
  const texts = [...Object.values(headers ?? {}), ...Object.values(env ?? {})];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(reference)].map(([, header]) => header!)))];
}

/** Are there any without which nothing can be connected? */
export function needsClient({ headers, env }: McpServerConfig): boolean {
  const texts = [...Object.values(headers ?? {}), ...Object.values(env ?? {})];
  return texts.some((text) => [...text.matchAll(reference)].some(([, , fallback]) => fallback === undefined));
}

export interface FillHeaders {
  readonly server: string;
  /** "headers.Authorization" */
  readonly key: string;
  /** Of the client that it is for; undefined: no client of ours. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Splits a text at each `${header:NAME}`, gives the rest to `fill` and puts the client's own values between: what a
 * client sends is never read as a variable of ours. Throws PEG_MISSING_VARIABLE.
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
    ? `which this client did not send${own ? ' beside our own token: send that as Pegboard-Token, and Authorization is free for the server behind' : ''}. Add it to the headers of Pegboard in the client's configuration`
    : 'and this call does not come from an MCP client over HTTP';
  return new PegboardError(
    'PEG_MISSING_VARIABLE',
    `MCP server "${server}": ${key} needs the header ${header} of the client that calls, ${why}, or write \${header:${header}:-default} in the server's entry.`,
    { data: { server, key, header } },
  );
}

/** Elsewhere a client would choose what is started, or where what is secret is sent. */
export function refuseHeadersElsewhere(server: string, key: string, text: string): void {
  if (!within.test(text)) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `MCP server "${server}": \${header:…} is not allowed in ${key}, where a client would choose what is started or where it is sent. Use it in the values of headers and env.`,
  );
}
