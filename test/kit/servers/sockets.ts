import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a local port, and everything received over it. */
export interface OpenSocket extends Disposable {
  readonly socket: Socket;
  readonly received: string;
  /** Resolves when the other side has closed it. */
  readonly closed: Promise<void>;
  /** Resolves with everything received as soon as it matches; rejects when the connection is closed before. */
  until(pattern: RegExp): Promise<string>;
}

export async function openSocket(port: number, text = ''): Promise<OpenSocket> {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([once(socket, 'connect'), closed]);
  if (text !== '') socket.write(text);
  return {
    socket,
    get received() {
      return received;
    },
    closed,
    async until(pattern) {
      while (!pattern.test(received)) {
        if (socket.destroyed) throw new Error(`closed before ${pattern} came: ${received}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
      return received;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Opens this number of connections, a few hundred at a time, because the system's queue is limited. */
export async function openSockets(port: number, count: number, text = ''): Promise<readonly OpenSocket[]> {
  const opened: OpenSocket[] = [];
  while (opened.length < count) {
    const next = Array.from({ length: Math.min(250, count - opened.length) }, () => openSocket(port, text));
    opened.push(...(await Promise.all(next)));
  }
  return opened;
}
