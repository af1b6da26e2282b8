import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between a host and its server that can be cut: what is sent then waits, and nobody gets an error. */
export interface Network extends AsyncDisposable {
  readonly port: number;
  cut(): void;
  mend(): void;
}

export async function openNetwork(serverPort: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer({ pauseOnConnect: true }, (inner) => {
    const outer = connect(serverPort, '127.0.0.1');
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.on('data', (data) => void other.write(data));
      if (isCut) socket.pause();
      else socket.resume();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
