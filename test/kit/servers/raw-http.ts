import { request, type IncomingMessage } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** Alternating names and values, sent unchanged: may be repeated or lack required ones. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Disconnects from an event stream as soon as it begins; otherwise waits for its end. */
  readonly leaveStream?: true;
}

/** Sends one HTTP request, exactly as written; only the length of the body is added. */
export async function sendRaw(port: number, options: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'POST', path = '/mcp', headers = [], body } = options;
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const sent = request(
    {
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: [...headers, ...length] as never,
      agent: false,
      setHost: false,
    },
    (answer) => {
      if (options.leaveStream && answer.headers['content-type'] === 'text/event-stream') {
        sent.destroy();
        return resolve({ status: answer.statusCode!, headers: answer.headers, text: '' });
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
