import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PGlite, type Extensions } from '@electric-sql/pglite';

interface PgliteServer extends AsyncDisposable {
  readonly url: string;
  /** Runs statements as the owner, after every connection has ended. */
  query(sql: string): Promise<unknown[]>;
}

/** Postgres itself, in this process. It takes seconds to start: tests share one. */
export interface Pglite extends AsyncDisposable {
  /**
   * Serves PGlite on a socket, with only the tables that `setup` creates. Accepts one connection at a time, since
   * PGlite has one session, and rolls back its open transaction when it ends, like a real server. Only one server at a
   * time.
   */
  open(setup: string): Promise<PgliteServer>;
}

/** `extensions`: those that `create extension` finds. */
export async function startPglite(extensions: Extensions = {}): Promise<Pglite> {
  const database = await PGlite.create({ extensions });
  return {
    async open(setup) {
      await database.exec('drop schema public cascade; create schema public');
      await database.exec(setup);
      return await serve(database);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function serve(database: PGlite): Promise<PgliteServer> {
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (socket: Socket): Promise<void> => {
    let rest = Buffer.alloc(0);
    let isStarted = false;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (rest.length < head + 4) break;
        const length = head + rest.readInt32BE(head);
        if (rest.length < length) break;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (isStarted && message[0] === 'X'.charCodeAt(0)) return;
        const said = await database.execProtocolRaw(message);
        isStarted = true;
        socket.write(said);
      }
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    last = last
      .then(() => answer(socket))
      .catch(() => {})
      .then(() => database.exec('rollback').catch(() => {}))
      .then(() => database.exec('discard all').catch(() => {}))
      .then(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://postgres:hidden-password@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    async query(sql) {
      await last;
      return (await database.query(sql)).rows;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await last;
    },
  };
}
