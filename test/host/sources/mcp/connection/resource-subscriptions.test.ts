import { expect, test } from 'vitest';
import type { ClientSession } from '../../../../../host/api/mcp/peer.ts';
import type { Connection } from '../../../../../host/sources/mcp/connection/connection.ts';
import type { Connections } from '../../../../../host/sources/mcp/connection/connections.ts';
import { systemClock } from '../../../../../host/core/async/clock.ts';
import { createResourceSubscriptions } from '../../../../../host/sources/mcp/connection/resource-subscriptions.ts';

const connection = { subscriptions: { watch: async () => {} } } as unknown as Connection;
const connections = {
  acquire: () => ({ supervisor: { ready: async () => connection }, [Symbol.dispose]() {} }),
} as unknown as Connections;
const session = { id: 'a' } as ClientSession;
const open = (isPerClient: boolean) =>
  createResourceSubscriptions({ name: 'notes', connections, isPerClient, timeout: 5, clock: systemClock });

test('a connection renews what the session that owns it has subscribed to', async () => {
  const subscriptions = open(true);
  await subscriptions.subscribe('note://1', { session, headers: {} });
  expect(subscriptions.urisOf(session)).toEqual(new Set(['note://1']));
  expect(subscriptions.urisOf({ id: 'b' } as ClientSession)).toBeUndefined();
});

test('where each client has a connection, one without a session gets nothing that another client subscribed to', async () => {
  const subscriptions = open(true);
  await subscriptions.subscribe('note://1', { headers: { authorization: 'of one client' } });
  expect(subscriptions.urisOf(undefined)).toBeUndefined();
});

test('a shared connection renews what anybody has subscribed to', async () => {
  const subscriptions = open(false);
  await subscriptions.subscribe('note://1', { headers: {} });
  expect(subscriptions.urisOf(undefined)).toEqual(new Set(['note://1']));
});
