import { createServer } from 'node:net';
import { join } from 'node:path';
import type { PostgresServer } from './postgres-server.ts';

/** The socket on which the process of the test run says the port of its Postgres. */
export const sharedPostgres = (): string => join(process.env['PEGBOARD_TEST_SHARED']!, 'postgres.sock');

/** One Postgres for all processes of a test run. It starts at the first connection, and ends with this process. */
export default function setup(): () => Promise<void> {
  let starting: Promise<PostgresServer> | undefined;
  const start = async (): Promise<PostgresServer> => {
    const { startPostgres } = await import('./postgres-server.ts');
    return await startPostgres({ settings: { max_connections: '500' } });
  };
  const server = createServer((socket) => {
    starting ??= start();
    starting.then(
      ({ port }) => socket.end(String(port)),
      (cause: unknown) => socket.end(String(cause)),
    );
  });
  server.listen(sharedPostgres()).unref();
  return async () => {
    server.close();
    await (await starting)?.[Symbol.asyncDispose]();
  };
}
