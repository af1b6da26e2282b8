import type { ClientBase, PoolConfig } from 'pg';

/**
 * For the options of a pool: what each new connection runs before it is used, such as `set …`. PgBouncer refuses
 * connections that begin with such settings.
 */
export function onConnect(statements: string): Pick<PoolConfig, 'onConnect'> {
  // The pool waits for the promise, of which its types don't know.
  const run = (client: ClientBase): unknown => client.query(statements);
  return { onConnect: run };
}
