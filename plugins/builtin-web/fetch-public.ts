import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { asSentence, PegboardError } from 'pegboard';
import { isPublicAddress } from './addresses.ts';

export interface FetchOptions {
  /** "host" or "host:port" that may be reached even if its address is private. */
  readonly allowHosts: readonly string[];
  /** Bytes, after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly headers?: { readonly [name: string]: string };
  /** Default: GET. Only GET and HEAD follow redirects, so that nothing else is sent to another host. */
  readonly method?: string;
  readonly body?: string;
  /** Validators of the page as it was read before. The response may then be 304 without a body. */
  readonly known?: Validators;
  /** Default: the system's resolver. */
  readonly lookup?: typeof systemLookup;
}

/** What a server uses to check whether a page has changed (RFC 9110, 8.8). */
export interface Validators {
  /** After redirects. Validators are sent to no other URL. */
  readonly url: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export interface FetchedPage {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** After redirects. */
  readonly url: string;
  /** Content-Type without parameters. */
  readonly type: string;
  readonly body: Buffer;
  /** The page is longer than the limit. */
  readonly cut: boolean;
  readonly validators: Validators;
}

const maxRedirects = 5;
const defaultPorts = new Set(['', '80', '443']);
/** Milliseconds. */
const timeoutsMs = { connect: 10_000, headers: 15_000, body: 15_000 };

/**
 * Requests a URL of the public internet, by GET unless `method` is set. All addresses of a name are checked, for every
 * redirect, in the same lookup that the connection uses, so that the name can't resolve differently a moment later. No
 * proxies, no cookies. Throws PEG_DENIED for addresses that are not public and PEG_TOOL_FAILED when the request fails.
 */
export async function fetchPublic(address: string, options: FetchOptions): Promise<FetchedPage> {
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connect: { lookup: vettedLookup(options), timeout: timeoutsMs.connect },
    pipelining: 0,
    headersTimeout: timeoutsMs.headers,
    bodyTimeout: timeoutsMs.body,
    maxHeaderSize: 16_384,
    maxResponseSize: options.maxBytes * 4,
  });
  try {
    const { method = 'GET' } = options;
    const follows = method === 'GET' || method === 'HEAD';
    let url = parseAddress(address);
    const { origin } = url;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      checkAddress(url, options);
      const response = await request(url, {
        dispatcher: agent,
        signal: options.signal,
        method,
        ...(options.body !== undefined && { body: options.body }),
        headers: {
          'user-agent': 'Pegboard (+https://pegboard.dev)',
          accept: 'text/html, text/markdown, text/plain, application/pdf, application/json;q=0.9, */*;q=0.1',
          'accept-encoding': 'gzip, br',
          // Headers may contain credentials, which are meant for one host.
          ...(url.origin === origin && options.headers),
          ...conditions(url, options.known),
        },
      });
      const location = response.headers['location'];
      if (
        follows &&
        response.statusCode >= 300 &&
        response.statusCode < 400 &&
        typeof location === 'string'
      ) {
        await response.body.dump({ limit: 1024, signal: options.signal }).catch(() => {});
        url = redirectTo(location, url);
        continue;
      }
      const [type = ''] = String(response.headers['content-type'] ?? '').split(';');
      const encoding = String(response.headers['content-encoding'] ?? '')
        .trim()
        .toLowerCase();
      const { body, cut } = await readBody(response.body, encoding, options.maxBytes);
      return {
        status: response.statusCode,
        headers: flatHeaders(response.headers),
        url: url.href,
        type: type.trim().toLowerCase(),
        body,
        cut,
        validators: {
          url: url.href,
          etag: headerOf(response.headers['etag']),
          lastModified: headerOf(response.headers['last-modified']),
        },
      };
    }
    throw new PegboardError('PEG_TOOL_FAILED', `${address} redirects more than ${maxRedirects} times.`);
  } catch (cause) {
    throw explain(cause, address, options.signal);
  } finally {
    await agent.destroy();
  }
}

const flatHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );

const headerOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];

function conditions({ href }: URL, known: Validators | undefined): { readonly [name: string]: string } {
  if (known?.url !== href) return {};
  const { etag, lastModified } = known;
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

function parseAddress(address: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`);
  if (url) return url;
  throw new PegboardError('PEG_TOOL_FAILED', `"${address}" is not the address of a web page.`);
}

function redirectTo(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (!url)
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${from.href} redirects to "${location}", which is not an address.`,
    );
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw new PegboardError(
      'PEG_DENIED',
      `${from.href} redirects to an address without encryption: ${url.href}.`,
    );
  }
  return url;
}

/** Checks IP addresses in the URL itself, which are never looked up. */
export function checkAddress(url: URL, { allowHosts }: Pick<FetchOptions, 'allowHosts'>): void {
  const refuse = (why: string): never => {
    throw new PegboardError('PEG_DENIED', `${url.href} is not read: ${asSentence(why)}`);
  };
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    refuse(`only http:// and https:// addresses are`);
  if (url.username !== '' || url.password !== '') refuse('there is a password in the address');
  if (isAllowed(url, allowHosts)) return;
  if (!defaultPorts.has(url.port)) refuse(`web pages don't use port ${url.port}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) refuse(`${host} is a private address`);
}

const isAllowed = (url: URL, allowHosts: readonly string[]): boolean =>
  allowHosts.some((allowed) => allowed.toLowerCase() === url.host || allowed.toLowerCase() === url.hostname);

/** Refuses a name if any of its addresses is not public. */
function vettedLookup({ allowHosts, lookup = systemLookup }: FetchOptions): typeof systemLookup {
  const free = new Set(allowHosts.map((host) => host.toLowerCase().replace(/:\d+$/, '')));
  const vetted = (
    host: string,
    asked: { readonly all?: boolean },
    done: (error: Error | null, found?: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookup(host, { ...asked, all: true }, (error, addresses) => {
      if (error) return done(error);
      const private_ = free.has(host.toLowerCase())
        ? undefined
        : addresses.find(({ address }) => !isPublicAddress(address));
      if (private_ || addresses.length === 0) {
        return done(
          new PegboardError(
            'PEG_DENIED',
            `${host} is not read: its address ${private_?.address} is private.`,
          ),
        );
      }
      if (asked.all) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
  return vetted as typeof systemLookup;
}

async function readBody(
  stream: AsyncIterable<Buffer>,
  encoding: string,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly cut: boolean }> {
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const { Readable } = await import('node:stream');
  const decoders: { readonly [encoding: string]: () => NodeJS.ReadWriteStream } = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    br: createBrotliDecompress,
    deflate: createInflate,
  };
  const decoder = decoders[encoding]?.();
  const source: AsyncIterable<Buffer> = decoder
    ? (Readable.from(stream)
        .on('error', (cause) => (decoder as NodeJS.WritableStream).emit('error', cause))
        .pipe(decoder) as unknown as AsyncIterable<Buffer>)
    : stream;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of source) {
    size += part.length;
    if (size > maxBytes) {
      parts.push(part.subarray(0, part.length - (size - maxBytes)));
      return { body: Buffer.concat(parts), cut: true };
    }
    parts.push(part);
  }
  return { body: Buffer.concat(parts), cut: false };
}

function explain(cause: unknown, address: string, signal: AbortSignal): unknown {
  if (cause instanceof PegboardError || signal.aborted) return cause;
  const inner = (cause as { readonly cause?: unknown }).cause;
  if (inner instanceof PegboardError) return inner;
  const { code, message } = cause as { readonly code?: string; readonly message: string };
  const why =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? 'there is no host of that name, or no network'
      : code?.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT')
        ? 'it does not answer'
        : message;
  return new PegboardError('PEG_TOOL_FAILED', `${address} can't be read: ${asSentence(why)}`, { cause });
}
