import {
  healthPath,
  limitUnauthenticated,
  listenOn,
  refusalOf,
  type RequestRules,
  sendJson,
  type ServedPage,
} from 'pegboard/serving';

const { createServer } = process.getBuiltinModule('node:http');

const limits = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};
const address = '127.0.0.1';

export interface WebServer extends AsyncDisposable {
  /** "http://127.0.0.1:3917" */
  readonly origin: string;
}

/** Serves the page alone, on this machine; port 0 takes a free one. Throws PEG_CONFIG when it can't listen. */
export async function serveWeb(web: ServedPage, port: number): Promise<WebServer> {
  let rules: RequestRules | undefined;
  const server = createServer(limits, (request, response) => {
    const refusal = refusalOf(request, rules!, (path) => web.isLinkable(path));
    if (refusal) return sendJson(response, refusal.status, { error: { code: 'REFUSED', ...refusal } });
    if (request.url === healthPath) return sendJson(response, 200, { status: 'ok' });
    if (web.has(request.url!.split('?')[0]!)) return void web.handle(request, response, limit);
    sendJson(response, 404, { error: { code: 'PEG_USAGE', message: 'There is nothing here.' } });
  });
  const limit = limitUnauthenticated(server);
  const bound = await listenOn(server, port, address);
  rules = { port: bound, hosts: [], origins: [] };
  return {
    origin: `http://${address}:${bound}`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
