import { createHash } from 'node:crypto';
import { parseJson } from '../../core/documents/written-numbers.ts';
import type { JsonObject } from '../../api/result.ts';
import { allowedOf, type ClientLogins } from '../owner/client-logins.ts';
import type { Query } from './queries.ts';

/** Logins of MCP clients for all hosts of a home, and what belongs to a login until it is done. */
export interface SharedLogins extends ClientLogins {
  /** By a member of the payload. */
  findBy(kind: string, member: string, value: string): Promise<JsonObject | undefined>;
  /** Counts up from 1, until `expiresAt` (seconds since 1970). Returns the count. */
  count(kind: string, id: string, expiresAt: number): Promise<number>;
  /** Removes all but the `most` newest of a kind. */
  keepNewest(kind: string, most: number): Promise<void>;
}

export function createSharedLogins(query: Query): SharedLogins {
  const find: SharedLogins['find'] = async (kind, id) =>
    toPayload(
      await query<Row>(
        `select payload, consumed_at from mcp_logins
        where kind = $1 and key = $2 and coalesce(expires_at > $3, true)`,
        [kind, keyOf(id), now()],
      ),
    );
  return {
    async put({ kind, id, client, grant, payload, expiresAt }) {
      await query('delete from mcp_logins where expires_at < $1', [now()]);
      await query(
        `insert into mcp_logins (kind, key, client, login, payload, expires_at) values ($1, $2, $3, $4, $5, $6)
        on conflict (kind, key) do update set client = excluded.client, login = excluded.login,
          payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          kind,
          keyOf(id),
          client ?? null,
          grant === undefined ? null : keyOf(grant),
          JSON.stringify(payload),
          expiresAt ?? null,
        ],
      );
    },
    find,
    async findBy(kind, member, value) {
      return toPayload(
        await query<Row>(
          `select payload, consumed_at from mcp_logins
          where kind = $1 and payload::jsonb ->> $2 = $3 and expires_at > $4`,
          [kind, member, value, now()],
        ),
      );
    },
    async consume(kind, id) {
      const text =
        'update mcp_logins set consumed_at = $1 where kind = $2 and key = $3 and consumed_at is null returning number';
      return (await query(text, [now(), kind, keyOf(id)])).length > 0;
    },
    async restore(kind, id) {
      await query('update mcp_logins set consumed_at = null where kind = $1 and key = $2', [kind, keyOf(id)]);
    },
    async remove(kind, id) {
      await query('delete from mcp_logins where kind = $1 and key = $2', [kind, keyOf(id)]);
    },
    async revoke(kind, grant) {
      await query('delete from mcp_logins where kind = $1 and login = $2', [kind, keyOf(grant)]);
    },
    async count(kind, id, expiresAt) {
      const [row] = await query<{ readonly payload: string }>(
        `insert into mcp_logins (kind, key, payload, expires_at) values ($1, $2, '1', $3)
        on conflict (kind, key) do update set payload = (mcp_logins.payload::int + 1)::text
        returning payload`,
        [kind, keyOf(id), expiresAt],
      );
      return Number(row!.payload);
    },
    async keepNewest(kind, most) {
      await query(
        `delete from mcp_logins where kind = $1
          and number <= (select number from mcp_logins where kind = $1 order by number desc offset $2 limit 1)`,
        [kind, most],
      );
    },
    async keepClients(most) {
      await query(
        `delete from mcp_logins where kind = 'Client' and number in (
          select number from mcp_logins one where kind = 'Client'
            and not exists (select from mcp_logins where kind = 'Grant' and client = one.client)
          order by number
          limit greatest(0, (select count(*) from mcp_logins where kind = 'Client') - $1))`,
        [most],
      );
    },
    async allowed() {
      const grants = await query<{ client: string; payload: string }>(
        `select client, payload from mcp_logins where kind = 'Grant' and expires_at > $1 order by number`,
        [now()],
      );
      return allowedOf(grants, (client) => find('Client', client));
    },
    async forget(client) {
      await query('delete from mcp_logins where client = $1', [client]);
    },
    [Symbol.dispose]() {},
  };
}

interface Row {
  readonly payload: string;
  readonly consumed_at: number | null;
}

function toPayload([row]: readonly Row[]): JsonObject | undefined {
  if (!row) return undefined;
  const payload = parseJson(row.payload) as JsonObject;
  return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at };
}

const now = (): number => Math.floor(Date.now() / 1000);
const keyOf = (id: string): string => createHash('sha256').update(id).digest('base64url');
