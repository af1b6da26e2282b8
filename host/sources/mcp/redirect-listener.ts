import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PegboardError } from '../../core/errors.ts';

export interface RedirectListener extends AsyncDisposable {
  readonly url: string;
  /** The query that the browser comes back with. Other visitors get a 404 and are not mistaken for it. */
  readonly returned: Promise<URLSearchParams>;
}

const path = '/callback';
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Pegboard</title><body style="font:16px system-ui;margin:4em">${text}</body>`;

/** Waits on this machine for a browser that was sent away to log in. `state` is what it must bring back. */
export async function listenForRedirect(state: string, port = 0): Promise<RedirectListener> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const expected =
      request.method === 'GET' && url?.pathname === path && url.searchParams.get('state') === state;
    const status = expected ? 200 : 404;
    response.writeHead(status, {
      'content-type': 'text/html',
      connection: 'close',
      'referrer-policy': 'no-referrer',
    });
    response.end(
      page(expected ? 'Pegboard is logged in. You can close this page.' : 'There is nothing here.'),
    );
    if (expected) resolve(url.searchParams);
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `Port ${port} of 127.0.0.1, where the browser should come back to, is in use. Free it, or set oauth.redirectPort to another.`,
      { cause },
    );
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    returned: promise,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
