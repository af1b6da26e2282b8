import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '../../api/result.ts';
import { openForWriting } from '../database/open-file.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';

/** A record of a client's login: a client, a grant, or a token. */
export interface LoginEntry {
  readonly kind: string;
  readonly id: string;
  readonly client: string | undefined;
  readonly grant: string | undefined;
  readonly payload: JsonObject;
  /** Seconds since 1970; undefined: until it is removed. */
  readonly expiresAt: number | undefined;
}

/**
 * Logins of MCP clients: in a file of their own (0600), or in the database that several hosts share. Ids are stored as
 * hashes, so that it contains no usable token.
 */
export interface ClientLogins extends Disposable {
  put(entry: LoginEntry): Promise<void>;
  find(kind: string, id: string): Promise<JsonObject | undefined>;
  /** Marks it as used. False: it was used before, or is gone. Of several concurrent attempts, one succeeds. */
  consume(kind: string, id: string): Promise<boolean>;
  /** Marks it as unused again. */
  restore(kind: string, id: string): Promise<void>;
  remove(kind: string, id: string): Promise<void>;
  /** Removes everything of this kind that came from a grant. */
  revoke(kind: string, grant: string): Promise<void>;
  /** Removes the oldest clients that have no grant, until at most `most` are left or all of them have one. */
  keepClients(most: number): Promise<void>;
  /** Clients with a valid grant. */
  allowed(): Promise<readonly AllowedClient[]>;
  /** Removes all logins of a client. A running server notices it at the client's next request. */
  forget(client: string): Promise<void>;
}

export interface AllowedClient {
  readonly id: string;
  /** Its own name for itself; undefined when only its metadata page has one. */
  readonly name: string | undefined;
  /** URLs that it may access. */
  readonly resources: readonly string[];
  /** Time of the last login, ISO 8601. */
  readonly at: string;
}

export const clientLoginsFile = (userStateFolder: string): string =>
  join(userStateFolder, 'client-logins.db');

const migrations = [
  `create table entries (
  kind text not null,
  key text not null,
  client text,
  login text,
  payload text not null,
  consumed_at integer,
  expires_at integer,
  primary key (kind, key)
) strict;
create index entries_by_login on entries (login);
create index entries_by_expiry on entries (expires_at);`,
];
const grantKind = 'Grant';
const clientKind = 'Client';

/** Throws PEG_DATABASE. */
export async function openClientLogins(path: string): Promise<ClientLogins> {
  const database = await openForWriting(path, { first: 1, scripts: migrations }, () => {});
  const insert = database.prepare(
    'insert into entries (kind, key, client, login, payload, expires_at) values (?, ?, ?, ?, ?, ?) ' +
      'on conflict do update set client = excluded.client, login = excluded.login, payload = excluded.payload, expires_at = excluded.expires_at',
  );
  const tidy = database.prepare('delete from entries where expires_at < ?');
  const select = database.prepare('select payload, consumed_at from entries where kind = ? and key = ?');
  const use = database.prepare(
    'update entries set consumed_at = ? where kind = ? and key = ? and consumed_at is null',
  );
  const unuse = database.prepare('update entries set consumed_at = null where kind = ? and key = ?');
  const drop = database.prepare('delete from entries where kind = ? and key = ?');
  const dropAll = database.prepare('delete from entries where kind = ? and login = ?');
  const grants = database.prepare(
    `select client, payload from entries where kind = '${grantKind}' and expires_at > ? order by rowid`,
  );
  const dropClient = database.prepare('delete from entries where client = ?');
  const find = async (kind: string, id: string): Promise<JsonObject | undefined> => {
    const row = select.get(kind, keyOf(id)) as
      | { readonly payload: string; readonly consumed_at: number | null }
      | undefined;
    if (!row) return undefined;
    const payload = parseJson(row.payload) as JsonObject;
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at };
  };
  const dropClients = database.prepare(
    `delete from entries where kind = '${clientKind}' and rowid in (
      select rowid from entries one where kind = '${clientKind}'
        and not exists (select 1 from entries where kind = '${grantKind}' and client = one.client)
      order by rowid
      limit max(0, (select count(*) from entries where kind = '${clientKind}') - ?))`,
  );
  return {
    async put({ kind, id, client, grant, payload, expiresAt }) {
      tidy.run(now());
      const values = [client ?? null, grant === undefined ? null : keyOf(grant)] as const;
      insert.run(kind, keyOf(id), ...values, JSON.stringify(payload), expiresAt ?? null);
    },
    find,
    consume: async (kind, id) => use.run(now(), kind, keyOf(id)).changes === 1,
    restore: async (kind, id) => void unuse.run(kind, keyOf(id)),
    remove: async (kind, id) => void drop.run(kind, keyOf(id)),
    revoke: async (kind, grant) => void dropAll.run(kind, keyOf(grant)),
    keepClients: async (most) => void dropClients.run(most),
    allowed: () => {
      const rows = grants.all(now()) as { client: string; payload: string }[];
      return allowedOf(rows, (client) => find(clientKind, client));
    },
    forget: async (client) => void dropClient.run(client),
    [Symbol.dispose]: () => database.close(),
  };
}

/** `grants`: valid ones, in the order of their logins. `clientOf`: what a client has registered. */
export async function allowedOf(
  grants: readonly { readonly client: string; readonly payload: string }[],
  clientOf: (id: string) => Promise<JsonObject | undefined>,
): Promise<readonly AllowedClient[]> {
  const clients = new Map<string, AllowedClient>();
  for (const { client: id, payload } of grants) {
    const { resources, iat } = parseJson(payload) as { resources?: object; iat: number };
    const all = new Set([...(clients.get(id)?.resources ?? []), ...Object.keys(resources ?? {})]);
    const name = (await clientOf(id))?.['client_name'] as string | undefined;
    clients.set(id, { id, name, resources: [...all], at: new Date(iat * 1000).toISOString() });
  }
  return [...clients.values()];
}

const now = (): number => Math.floor(Date.now() / 1000);
const keyOf = (id: string): string => createHash('sha256').update(id).digest('base64url');
