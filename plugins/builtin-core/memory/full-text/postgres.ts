import { parseJson } from 'pegboard';
import { sql, type RawBuilder } from 'kysely';
import type { FoundTurn, FullText } from './full-text.ts';
import { lexemesOf, toIndexed } from './lexemes.ts';

/** The constants of FTS5's BM25. */
const k1 = 1.2;
const b = 0.75;
const minRarity = 1e-6;

/**
 * `tsvector` with GIN, and BM25 as FTS5 computes it: Postgres's own ranking doesn't weigh rare words more than frequent
 * ones. Texts are read back before they are indexed, since they are redacted on their way into the database.
 */
export const postgresFullText: FullText = {
  async setMemory(database, { id }) {
    const { rows } = await sql<{ content: string; category: string; tags: string }>`
      select content, category, tags from memory_memories where id = ${id}`.execute(database);
    const [row] = rows;
    if (!row) return;
    const { vector, length } = toIndexed([
      { text: row.content, weight: 2 },
      { text: row.category },
      { text: (parseJson(row.tags) as readonly string[]).join(' ') },
    ]);
    await sql`
      insert into memory_memories_fts (rowid, words, length) values (${id}, ${vector}::tsvector, ${length})
      on conflict (rowid) do update set words = excluded.words, length = excluded.length`.execute(database);
  },
  async removeMemory(database, id) {
    await sql`delete from memory_memories_fts where rowid = ${id}`.execute(database);
  },
  async matchMemories(database, words, limit) {
    const { rows } = await ranked(words, sql`memory_memories_fts`, limit).execute(database);
    return rows.map(({ id }) => id);
  },
  async addTurn(database, message, text, grams) {
    const { rows } = await sql<{ text: string; grams: string }>`
      insert into memory_turns_fts (rowid, text, grams, words, length) values (${message}, ${text}, ${grams}, '', 0)
      returning text, grams`.execute(database);
    const stored = rows[0]!;
    const { vector, length } = toIndexed([{ text: stored.text }, { text: stored.grams }]);
    await sql`update memory_turns_fts set words = ${vector}::tsvector, length = ${length} where rowid = ${message}`.execute(
      database,
    );
  },
  async removeTurns(database, messages) {
    await sql`delete from memory_turns_fts where rowid in (${sql.join(messages)})`.execute(database);
  },
  async matchTurns(database, words, limit) {
    const { rows } = await sql<FoundTurn & { readonly score: number }>`
      select turn.session_id as session, turn.position, found.score
      from (${ranked(words, sql`memory_turns_fts`, limit)}) found
      join memory_turns turn on turn.message_id = found.id order by found.score desc, found.id`.execute(
      database,
    );
    return rows;
  },
  async turnsWith(database, words) {
    const { rows } = await sql<FoundTurn & { readonly turns: number }>`
      select turn.session_id as session, turn.position, (select count(*) from memory_turns) as turns
      from memory_turns_fts fts join memory_turns turn on turn.message_id = fts.rowid
      where fts.words @@ ${toQuery(words)}::tsquery`.execute(database);
    return rows;
  },
  async turnsContaining(database, text) {
    const { rows } = await sql<{ message: number; text: string }>`
      select rowid as message, text from memory_turns_fts where instr(text, ${text}::bytea) > 0`.execute(
      database,
    );
    return rows;
  },
  async setSession(database, id, day) {
    await sql`delete from memory_sessions_fts where rowid = ${id}`.execute(database);
    const { rows } = await sql<{ text: string; grams: string }>`
      select fts.text, fts.grams from memory_turns turn join memory_turns_fts fts on fts.rowid = turn.message_id
      where turn.session_id = ${id} order by turn.position`.execute(database);
    if (rows.length === 0) return;
    const { vector, length } = toIndexed(
      [...rows.flatMap(({ text, grams }) => [text, grams]), day].map((text) => ({ text })),
    );
    await sql`insert into memory_sessions_fts (rowid, words, length) values (${id}, ${vector}::tsvector, ${length})`.execute(
      database,
    );
  },
  async matchSessions(database, words, limit) {
    const { rows } = await sql<{ id: number; conversation: number; score: number }>`
      select session.id, session.conversation_id as conversation, found.score
      from (${ranked(words, sql`memory_sessions_fts`, limit)}) found
      join memory_sessions session on session.id = found.id order by found.score desc, found.id`.execute(
      database,
    );
    return rows;
  },
  // Autovacuum does it, and `vacuum` after a secret was removed.
  merge: () => Promise.resolve(),
};

/**
 * The rows with any of the words, by BM25, best first. All rows with a word are found here, so that their number is its
 * frequency. A word that the question has in several forms counts as often.
 */
function ranked(
  words: readonly string[],
  table: RawBuilder<unknown>,
  limit: number,
): RawBuilder<{ id: number; score: number }> {
  const lexemes = words.flatMap(lexemesOf);
  return sql<{ id: number; score: number }>`
    with asked as (
      select lexeme, count(*) as times from unnest(${lexemes}::text[]) lexeme group by lexeme
    ),
    total as (select count(*)::float8 as texts, greatest(avg(length), 1)::float8 as mean from ${table}),
    found as materialized (
      select fts.rowid as id, fts.length, word.lexeme, cardinality(word.positions)::float8 as count
      from ${table} fts, unnest(fts.words) word
      where fts.words @@ ${toQuery(words)}::tsquery and word.lexeme = any(${lexemes}::text[])
    ),
    rarity as (
      select lexeme, greatest(ln((total.texts - frequent + 0.5) / (frequent + 0.5)), ${minRarity}::float8) as rarity
      from (select lexeme, count(*)::float8 as frequent from found group by lexeme) frequency, total
    )
    select found.id, sum(asked.times * rarity.rarity * found.count * ${k1 + 1}::float8 /
      (found.count + ${k1}::float8 * (${1 - b}::float8 + ${b}::float8 * found.length / total.mean)))::float8 as score
    from found join asked on asked.lexeme = found.lexeme join rarity on rarity.lexeme = found.lexeme, total
    group by found.id order by score desc, found.id limit ${limit}`;
}

/** Lexemes consist of letters and digits, so none needs to be escaped. */
const toQuery = (words: readonly string[]): string =>
  [...new Set(words.flatMap(lexemesOf))].map((lexeme) => `'${lexeme}'`).join(' | ');
