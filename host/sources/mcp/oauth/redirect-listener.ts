import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PegboardError } from '../../../core/errors.ts';
import { loopbackNames } from '../../../core/loopback.ts';

export interface RedirectListener extends AsyncDisposable {
  readonly url: string;
  /** The query with which the browser returns. Other requests get a 404. */
  readonly returned: Promise<URLSearchParams>;
  /** Shows the outcome of the login on the waiting page of the browser: undefined for success, or the error. */
  tell(failure: string | undefined): void;
}

const path = '/callback';
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Pegboard</title><body style="font:16px system-ui;margin:4em">${text}</body>`;

/** Listens on this machine for the browser's return from the login. `state` must be part of it. */
export async function listenForRedirect(state: string, port = 0): Promise<RedirectListener> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const outcome = Promise.withResolvers<string | undefined>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const expected =
      request.method === 'GET' &&
      names.includes(request.headers.host ?? '') &&
      url?.pathname === path &&
      url.searchParams.get('state') === state;
    if (!expected) return show(response, 404, 'There is nothing here.');
    resolve(url.searchParams);
    const failure = await outcome.promise;
    if (failure === undefined) show(response, 200, 'Pegboard is logged in. You can close this page.');
    else show(response, 400, `Pegboard is not logged in. ${asHtml(failure)}`);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `Port ${port} of 127.0.0.1, to which the browser should return, is in use. Free it, or set oauth.redirectPort to another.`,
      { cause },
    );
  }
  const { port: own } = server.address() as AddressInfo;
  const names = loopbackNames.map((name) => `${name}:${own}`);
  return {
    url: `http://127.0.0.1:${own}${path}`,
    returned: promise,
    tell: (failure) => outcome.resolve(failure),
    async [Symbol.asyncDispose]() {
      outcome.resolve('The login has ended.');
      server.close();
      server.closeIdleConnections();
      // Doesn't wait for a browser that doesn't read its page.
      const tooLate = setTimeout(() => server.closeAllConnections(), 1_000);
      await once(server, 'close');
      clearTimeout(tooLate);
    },
  };
}

function show(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    connection: 'close',
    'referrer-policy': 'no-referrer',
  });
  response.end(page(text));
}

const asHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
