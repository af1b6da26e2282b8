import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { MemoryTables } from '../tables.ts';
import { anyOf } from '../words/words.ts';
import type { FoundTurn, FullText } from './full-text.ts';

type Db = Kysely<MemoryTables>;

/** Index pages that are merged at once: takes a few milliseconds. */
const mergedPages = 200;

/** FTS5. */
export const sqliteFullText: FullText = {
  async setMemory(database, { id, content, labels }) {
    await sql`insert or replace into memory_memories_fts (rowid, content, labels) values (${id}, ${content}, ${labels})`.execute(
      database,
    );
  },
  async removeMemory(database, id) {
    await sql`delete from memory_memories_fts where rowid = ${id}`.execute(database);
  },
  async matchMemories(database, words, limit) {
    const { rows } = await sql<{ id: number }>`
      select rowid as id from memory_memories_fts where memory_memories_fts match ${anyOf(words)}
      order by bm25(memory_memories_fts, 2.0, 1.0) limit ${sql.lit(limit)}`.execute(database);
    return rows.map(({ id }) => id);
  },
  async addTurn(database, message, text, grams) {
    await sql`insert into memory_turns_fts (rowid, text, grams) values (${message}, ${text}, ${grams})`.execute(
      database,
    );
  },
  async removeTurns(database, messages) {
    await sql`delete from memory_turns_fts where rowid in (${sql.join(messages)})`.execute(database);
  },
  async matchTurns(database, words, limit) {
    const { rows } = await sql<FoundTurn & { readonly score: number }>`
      with found as materialized (
        select rowid as message, bm25(memory_turns_fts) as score from memory_turns_fts
        where memory_turns_fts match ${anyOf(words)} order by score limit ${sql.lit(limit)}
      )
      select turn.session_id as session, turn.position, -found.score as score
      from found cross join memory_turns turn on turn.message_id = found.message`.execute(database);
    return rows;
  },
  async turnsWith(database, words) {
    const { rows } = await sql<FoundTurn & { readonly turns: number }>`
      select turn.session_id as session, turn.position, (select count(*) from memory_turns) as turns
      from memory_turns_fts fts cross join memory_turns turn on turn.message_id = fts.rowid
      where memory_turns_fts match ${anyOf(words)}`.execute(database);
    return rows;
  },
  async turnsContaining(database, text) {
    const { rows } = await sql<{ message: number; text: string }>`
      select rowid as message, text from memory_turns_fts where instr(text, ${text}) > 0`.execute(database);
    return rows;
  },
  async setSession(database, id, day) {
    await sql`delete from memory_sessions_fts where rowid = ${id}`.execute(database);
    await sql`
      insert into memory_sessions_fts (rowid, text)
      select ${id}, group_concat(fts.text || ' ' || fts.grams, ' ') || ' ' || ${day}
      from memory_turns turn join memory_turns_fts fts on fts.rowid = turn.message_id
      where turn.session_id = ${id} having count(*) > 0`.execute(database);
  },
  async matchSessions(database, words, limit) {
    const { rows } = await sql<{ id: number; conversation: number; score: number }>`
      select session.id, session.conversation_id as conversation, -bm25(memory_sessions_fts) as score
      from memory_sessions_fts fts cross join memory_sessions session on session.id = fts.rowid
      where memory_sessions_fts match ${anyOf(words)} order by score desc limit ${sql.lit(limit)}`.execute(
      database,
    );
    return rows;
  },
  async merge(database) {
    for (const index of ['memory_turns_fts', 'memory_sessions_fts', 'memory_memories_fts'])
      await mergeIndex(database, index);
  },
};

/** Deleted text stays in the pages of an index until they are merged. */
async function mergeIndex(database: Db, index: string): Promise<void> {
  const table = sql.table(index);
  const changes = async (): Promise<number> =>
    (await sql<{ count: number }>`select total_changes() as count`.execute(database)).rows[0]!.count;
  for (let amount = -mergedPages; ; amount = mergedPages) {
    const before = await changes();
    await sql`insert into ${table} (${sql.ref(index)}, rank) values ('merge', ${amount})`.execute(database);
    // Fewer than two changes: nothing was left to merge.
    if ((await changes()) - before < 2) return;
    await turnOfLoop();
  }
}
