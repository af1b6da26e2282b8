import { sql } from 'kysely';
import { findEvidence, type MemoryEvidence } from '../../plugins/builtin-core/memory/recall/evidence.ts';
import { recallMemories } from '../../plugins/builtin-core/memory/recall/recall.ts';
import { anyOf, wordsOf } from '../../plugins/builtin-core/memory/words/words.ts';
import type { IndexedHome } from './home.ts';

/** A way to find past messages, best first. */
export type Side = (home: IndexedHome, question: string) => Promise<readonly MemoryEvidence[]>;

/** What memory_recall does, including the search for memories. */
export const pegboard: Side = async ({ database }, question) => {
  await recallMemories(database, question, { limit: 10 });
  return await findEvidence(database, question);
};

/** Only full-text search, with Porter stemming and without stop words, ranked by BM25. */
export const plain: Side = async ({ database }, question) => {
  const { rows } = await sql<MemoryEvidence>`
    select turn.message_id as message, turn.session_id as session, turn.position, 'cli' as source, turn.role,
      turn.at, fts.text
    from (
      select rowid, rank, text from memory_turns_fts where memory_turns_fts match ${anyOf(wordsOf(question))}
      order by rank limit 60
    ) fts join memory_turns turn on turn.message_id = fts.rowid order by fts.rank`.execute(database);
  return rows;
};
