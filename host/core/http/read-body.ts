import type { IncomingMessage } from 'node:http';
import { parseJson } from '../documents/written-numbers.ts';
import { withoutByteOrderMark } from '../text/byte-order-mark.ts';

/** Maximum bytes of a request. */
const maxBodyBytes = 16 * 1024 * 1024;

export type Body =
  | { readonly json: unknown }
  | { readonly status: 400 | 413; readonly message: string }
  /** The client disconnected before it had sent everything. */
  | undefined;

/** Reads at most `most` bytes; a longer body is not read to its end. */
export function readBody(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<Body> {
  const tooLarge: Body = { status: 413, message: `A request may have at most ${maxBytes} bytes.` };
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve(tooLarge);
  const { promise, resolve } = Promise.withResolvers<Body>();
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
  request.once('end', () => resolve(parse(chunks)));
  request.once('close', () => resolve(undefined));
  request.once('error', () => resolve(undefined));
  return promise;
}

function parse(chunks: readonly Buffer[]): Body {
  try {
    const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString();
    return { json: parseJson(withoutByteOrderMark(text)) };
  } catch {
    return { status: 400, message: 'The request is not JSON.' };
  }
}
