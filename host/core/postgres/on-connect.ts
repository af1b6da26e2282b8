import type { ClientBase, PoolConfig } from 'pg';

/**
 * For the options of a pool: what each new connection runs before it is used, such as `set …`. PgBouncer refuses
 * connections that begin with such settings.
 */
export function onConnect(statements: string): Pick<PoolConfig, 'onConnect'> {
  const run = (client: ClientBase): Promise<unknown> => client.query(statements);
  // The pool waits for what its types don't know of.
  return { onConnect: run };
}
