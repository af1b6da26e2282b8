import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PegboardError, messageOf } from '../errors.ts';

/** Resolves with the port. Throws PEG_CONFIG. */
export async function listenOn(server: Server, port: number, address: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, address, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new PegboardError('PEG_CONFIG', explain(cause as NodeJS.ErrnoException, port, address), { cause });
  }
  server.off('error', reject);
  return (server.address() as AddressInfo).port;
}

function explain(cause: NodeJS.ErrnoException, port: number, address: string): string {
  switch (cause.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use. Choose another one, or stop the program that uses it.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${address} is not an address of this machine.`;
    default:
      return `Listening on ${address}:${port} failed: ${messageOf(cause)}`;
  }
}
