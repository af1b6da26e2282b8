import type { IncomingMessage } from 'node:http';
import { asSentence } from '../text/as-sentence.ts';
import { TooMuchJson } from '../documents/json/read-json.ts';
import { parseInSlices } from '../documents/json/parse-in-slices.ts';
import { withoutByteOrderMark } from '../text/byte-order-mark.ts';

/** Maximum bytes of a request. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Maximum bytes of a request by somebody who has not shown who they are. */
export const maxUnauthenticatedBytes = 4 * 1024;

export type Body =
  | { readonly json: unknown }
  | { readonly status: 400 | 413; readonly message: string }
  /** The client disconnected before it had sent everything. */
  | undefined;

/** Reads at most `maxBytes` of JSON; a longer body is not read to its end. */
export async function readBody(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<Body> {
  const body = await readBytes(request, maxBytes);
  return body && 'bytes' in body ? await parse(body.bytes) : body;
}

/** The same without reading it as anything. */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer } | { readonly status: 413; readonly message: string } | undefined> {
  const tooLarge = { status: 413, message: `A request may have at most ${maxBytes} bytes.` } as const;
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve(tooLarge);
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof readBytes>>>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else {
      request.pause();
      resolve(tooLarge);
    }
  });
  request.once('end', () => resolve({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) }));
  request.once('close', () => resolve(undefined));
  request.once('error', () => resolve(undefined));
  return promise;
}

async function parse(bytes: Buffer): Promise<Body> {
  try {
    return { json: await parseInSlices(withoutByteOrderMark(bytes.toString())) };
  } catch (cause) {
    const why = cause instanceof TooMuchJson ? cause.message : 'is not JSON';
    return { status: 400, message: asSentence(`The request ${why}`) };
  }
}
