import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** A call of a turn, by the id that the model gave it. */
export interface CallKey {
  readonly messageId: number;
  /** Of the reply that made it, from 1 on. */
  readonly round: number;
  readonly id: string;
}

/** What a call needs to go on in another process. */
export interface PausedState {
  /** Of what can read `bytes`. */
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** Replaces what was stored for the call. */
export async function storePaused(
  database: Kysely<Tables>,
  { messageId, round, id }: CallKey,
  { version, bytes }: PausedState,
): Promise<void> {
  await database
    .insertInto('paused_calls')
    .values({ message_id: messageId, round, call_id: id, version, state: bytes })
    .onConflict((conflict) =>
      conflict.columns(['message_id', 'round', 'call_id']).doUpdateSet({ version, state: bytes }),
    )
    .execute();
}

export async function readPaused(
  database: Kysely<Tables>,
  { messageId, round, id }: CallKey,
): Promise<Uint8Array | undefined> {
  const row = await database
    .selectFrom('paused_calls')
    .select('state')
    .where('message_id', '=', messageId)
    .where('round', '=', round)
    .where('call_id', '=', id)
    .executeTakeFirst();
  return row?.state;
}

export async function forgetPaused(
  database: Kysely<Tables>,
  { messageId, round, id }: CallKey,
): Promise<void> {
  await database
    .deleteFrom('paused_calls')
    .where('message_id', '=', messageId)
    .where('round', '=', round)
    .where('call_id', '=', id)
    .execute();
}

/** Of a turn: all, or those that another version stored. */
export async function forgetAllPaused(
  database: Kysely<Tables>,
  messageId: number,
  exceptVersion?: string,
): Promise<void> {
  await database
    .deleteFrom('paused_calls')
    .where('message_id', '=', messageId)
    .$if(exceptVersion !== undefined, (query) => query.where('version', '!=', exceptVersion!))
    .execute();
}

/** The paused calls of a turn that can go on, and the version that can read them, which is computed only for those. */
export async function findPaused(
  database: Kysely<Tables>,
  messageId: number,
  version: () => Promise<string>,
): Promise<PausedCalls> {
  const rows = await database
    .selectFrom('paused_calls')
    .select(['round', 'call_id', 'version'])
    .where('message_id', '=', messageId)
    .execute();
  if (rows.length === 0) return { has: () => false, version: undefined };
  const readable = await version();
  return {
    has: ({ round, id }) =>
      rows.some((row) => row.version === readable && row.round === round && row.call_id === id),
    version: readable,
  };
}

export interface PausedCalls {
  has(call: { readonly round: number | undefined; readonly id: string }): boolean;
  /** Undefined: nothing is stored. */
  readonly version: string | undefined;
}
