import type { Socket } from 'node:net';
import type { Server } from 'node:http';

/** Connections that nobody has shown the token on. */
export interface UnauthenticatedLimit {
  /** Somebody has: the connection stays as long as its client wants. */
  admit(socket: Socket): void;
}

/**
 * Lets at most so many connections say nothing, or nothing that is let in: the oldest gives way to a new one. So whoever
 * opens thousands neither uses up the process's descriptors nor keeps a client out, which says at once who it is.
 */
export function limitUnauthenticated(server: Server, most: number): UnauthenticatedLimit {
  const strangers = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    if (strangers.size > most) strangers.values().next().value!.destroy();
  });
  return { admit: (socket) => void strangers.delete(socket) };
}
