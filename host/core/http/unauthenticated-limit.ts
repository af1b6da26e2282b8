import type { Socket } from 'node:net';
import type { Server } from 'node:http';

/** On one port. */
const maxUnauthenticated = 512;

/** Connections without an authenticated request so far. */
export interface UnauthenticatedLimit {
  /** The connection is authenticated: it stays as long as its client wants. */
  admit(socket: Socket): void;
}

/**
 * Limits the number of unauthenticated connections: the oldest is closed for a new one. Opening thousands of connections
 * neither uses up the process's descriptors nor keeps out clients, which authenticate at once.
 */
export function limitUnauthenticated(server: Server): UnauthenticatedLimit {
  const strangers = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    if (strangers.size > maxUnauthenticated) strangers.values().next().value!.destroy();
  });
  return { admit: (socket) => void strangers.delete(socket) };
}
