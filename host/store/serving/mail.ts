import { randomUUID } from 'node:crypto';
import { createRerunQueue } from '../../core/async/rerun-queue.ts';
import { startListener } from '../../core/postgres/listener.ts';
import { thisProcess } from '../../core/processes/owner.ts';
import { findAbandoned } from '../database/abandoned.ts';
import type { PostgresDatabase } from '../database/postgres/database.ts';
import { livingOwners } from '../database/postgres/presence.ts';
import type { Query } from './queries.ts';

/** Short messages between the MCP servers of the hosts of a home. Each is taken once, in the order of its sender. */
export interface Mail extends AsyncDisposable {
  /** Of this server. Random, and new at each start. */
  readonly address: string;
  /** `thread` groups messages. False: there is no server of this address. Throws PEG_DATABASE. */
  send(to: string, thread: string, body: string): Promise<boolean>;
  sendToOthers(thread: string, body: string): Promise<void>;
  /** True: what was sent of this thread had not been taken, and never will be. */
  withdraw(to: string, thread: string): Promise<boolean>;
  /** Whether the process of this address runs, as far as that can be known. */
  isLiving(address: string): Promise<boolean>;
  /** Addresses of the other servers. */
  others(): Promise<readonly string[]>;
  /** The code that clients may be let in with at this server, as a digest. */
  setCode(digest: string): Promise<void>;
  /** Whether a server that runs has this code. */
  hasCode(digest: string): Promise<boolean>;
}

export interface Letter {
  readonly from: string;
  readonly body: string;
}

export interface MailOptions {
  readonly database: PostgresDatabase;
  readonly query: Query;
  /** Must not throw. */
  readonly onLetter: (letter: Letter) => void;
  /** Called with failures that are tried again. */
  readonly onError: (cause: unknown) => void;
}

const channel = 'pegboard_mcp';
/** Milliseconds between two looks for mail while news arrive, and while they don't. */
const pollMs = 5_000;
const deafPollMs = 500;

/** Sends to those servers that `condition` selects, and wakes them. */
const sending = (condition: string): string => `
  with sent as (
    insert into mcp_mail (recipient, sender, thread, body)
    select address, $2, $3, $4 from mcp_hosts where ${condition} and owner in (${livingOwners})
    returning recipient
  )
  select pg_notify('${channel}', recipient) from sent`;

/** Opens a mailbox of its own, which disposing closes. Throws PEG_DATABASE. */
export async function openMail({ database, query, onLetter, onError }: MailOptions): Promise<Mail> {
  const address = randomUUID();
  await query(`delete from mcp_hosts where owner not in (select owner from processes)`);
  await query(`delete from mcp_mail where sent_at < now() - interval '1 hour'`);
  await query('insert into mcp_hosts (address, owner) values ($1, $2)', [address, thisProcess]);
  const take = async (): Promise<void> => {
    const letters = await query<{ id: number; sender: string; body: string }>(
      'delete from mcp_mail where recipient = $1 returning id, sender, body',
      [address],
    );
    for (const { sender, body } of letters.toSorted((one, other) => one.id - other.id))
      onLetter({ from: sender, body });
  };
  const takes = createRerunQueue(() => take().catch(onError));
  const look = (): void => void takes.next(address);
  const listener = startListener({
    url: database.url,
    channel,
    onPayload: (recipient) => {
      if (recipient === address) look();
    },
    onConnected: look,
    onError,
  });
  let timer: NodeJS.Timeout | undefined;
  const poll = (): void => {
    timer = setTimeout(
      () => {
        look();
        poll();
      },
      listener.hears ? pollMs : deafPollMs,
    ).unref();
  };
  poll();
  return {
    address,
    send: async (to, thread, body) =>
      (await query(sending('address = $1'), [to, address, thread, body])).length > 0,
    async sendToOthers(thread, body) {
      await query(sending('address <> $1'), [address, address, thread, body]);
    },
    async withdraw(to, thread) {
      const text = 'delete from mcp_mail where recipient = $1 and thread = $2 returning id';
      return (await query(text, [to, thread])).length > 0;
    },
    async isLiving(other) {
      const hosts = await query<{ readonly owner: string }>(
        'select owner from mcp_hosts where address = $1',
        [other],
      );
      const work = hosts.map(({ owner }) => ({ owner, since: new Date().toISOString() }));
      const isAbandoned = await findAbandoned(await database.open(), work);
      return work.some((one) => !isAbandoned(one));
    },
    async others() {
      const hosts = await query<{ readonly address: string }>(
        `select address from mcp_hosts where address <> $1 and owner in (${livingOwners})`,
        [address],
      );
      return hosts.map((host) => host.address);
    },
    async setCode(digest) {
      await query('update mcp_hosts set code = $2 where address = $1', [address, digest]);
    },
    async hasCode(digest) {
      return (
        (await query(`select from mcp_hosts where code = $1 and owner in (${livingOwners})`, [digest]))
          .length > 0
      );
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await listener[Symbol.asyncDispose]();
      await query('delete from mcp_hosts where address = $1', [address]).catch(onError);
    },
  };
}
