import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy whose connections can die silently. */
export interface SwallowingProxy extends AsyncDisposable {
  readonly port: number;
  /** From now on, no data passes through open and new connections; none of them is closed. */
  swallow(): void;
  /** New connections work again; existing ones stay dead. */
  restore(): void;
  /** Resolves when somebody connects. */
  nextConnection(): Promise<unknown>;
}

export async function startSwallowingProxy(target: number): Promise<SwallowingProxy> {
  const open = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  let swallows = false;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  };
  const discard = (socket: Socket): void => void socket.unpipe().on('data', () => {});
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (swallows) return discard(near);
    const far = connect(target, '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    pairs.add([near, far]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      swallows = true;
      for (const socket of [...pairs].flat()) discard(socket);
      pairs.clear();
    },
    restore() {
      swallows = false;
    },
    nextConnection: () => once(server, 'connection'),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
