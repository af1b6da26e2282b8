import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer without stickiness: each request goes to the next server. */
export interface RoundRobin extends AsyncDisposable {
  readonly port: number;
  /** Ports of the servers, in their order. Those that refuse connections are skipped. */
  targets: readonly number[];
  /** The ports that have answered, in the order of the requests. */
  readonly answered: readonly number[];
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const answered: number[] = [];
  let next = 0;
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    for (let tries = 0; tries < proxy.targets.length; tries++) {
      const port = proxy.targets[next++ % proxy.targets.length]!;
      const onward = ask({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
      response.once('close', () => onward.destroy());
      onward.end(Buffer.concat(chunks));
      const answer = await once(onward, 'response').then(
        ([one]) => one as IncomingMessage,
        (cause: NodeJS.ErrnoException) => cause,
      );
      if (answer instanceof Error) {
        if (answer.code === 'ECONNREFUSED') continue;
        // A server that has the request may have begun with it.
        break;
      }
      answered.push(port);
      response.writeHead(answer.statusCode!, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy()).pipe(response);
      return;
    }
    response.writeHead(502).end();
  };
  // A client that uses an idle connection again must not find that it has just been closed.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: RoundRobin = {
    port: (server.address() as AddressInfo).port,
    targets: [],
    answered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
