import { dialectOf } from 'pegboard';
import { sql, type Kysely } from 'kysely';
import { fullTextOf } from '../full-text/full-text-of.ts';
import { fitOf } from '../words/fit.ts';
import { relatedMemories } from '../graph/graph.ts';
import { getAlive, type Memory } from '../memories.ts';
import type { MemoryTables } from '../tables.ts';
import type { Similarities } from '../vectors/vectors.ts';
import { askedWordsOf, partsOf, wordsOf } from '../words/words.ts';

type Db = Kysely<MemoryTables>;

/** A memory that answers the question, or may. */
export interface Recalled extends Memory {
  /** Cosine similarity to the question, where both have a vector. */
  readonly similarity?: number;
}

export interface RecallOptions {
  readonly limit: number;
  readonly category?: string | undefined;
  /** Only memories that have all of them. */
  readonly tags?: readonly string[] | undefined;
  /** Similarities of all memories to the question. Absent without embeddings. */
  readonly similarities?: Similarities | undefined;
  /** Minimum similarity. Default: 0.3. */
  readonly threshold?: number | undefined;
  /** One common word suffices. For a whole message, most of which has nothing to do with what is remembered. */
  readonly loosely?: boolean | undefined;
}

/** Maximum results of each tier. */
const maxPerTier = 100;
/**
 * The constant of reciprocal rank fusion: the greater, the less the first ranks count (Cormack, Clarke and Büttcher,
 * 2009, use 60 for long lists).
 */
const flatness = 10;
const weights = { words: 1, meaning: 1, parts: 0.5, graph: 0.5 } as const;
/** Texts below this cosine similarity are unrelated. */
export const minSimilarity = 0.3;

/**
 * Relevant memories, best first: by words, by meaning, by parts of words, and by what the graph connects with the names
 * in the question. A memory that several tiers find precedes one of the same rank that a single tier finds. A memory
 * found only by words must contain enough of the question. Empty when the question consists of stop words.
 */
export async function recallMemories(
  database: Db,
  question: string,
  options: RecallOptions,
): Promise<readonly Recalled[]> {
  const { similarities = new Map<number, number>(), threshold = minSimilarity } = options;
  if (wordsOf(question).length === 0) return [];
  const near = byMeaning(similarities, threshold);
  const related = await relatedMemories(database, question);
  const tiers: readonly (readonly [number, readonly number[]])[] = [
    [weights.words, await byWords(database, question)],
    [weights.meaning, near],
    [weights.parts, await byParts(database, question)],
    [weights.graph, related],
  ];
  const scores = new Map<number, number>();
  for (const [weight, ids] of tiers) {
    ids.forEach((id, rank) => scores.set(id, (scores.get(id) ?? 0) + weight / (flatness + rank)));
  }
  const best = [...scores].sort(([a, x], [b, y]) => y - x || b - a).map(([id]) => id);
  const fit = fitOf(question);
  const isSure = new Set([...near, ...related]);
  const fitting = (await getAlive(database, best)).filter(
    (memory) =>
      hasLabels(memory, options) &&
      (options.loosely || isSure.has(memory.id) || fit.isEnough(textOf(memory))),
  );
  return fitting.slice(0, options.limit).map((memory) => {
    const similarity = similarities.get(memory.id);
    return similarity === undefined ? memory : { ...memory, similarity };
  });
}

/** The first tier: full text, ranked by BM25. The content counts twice as much as the labels. */
async function byWords(database: Db, question: string): Promise<readonly number[]> {
  const words = askedWordsOf(question);
  return words.length === 0 ? [] : await fullTextOf(database).matchMemories(database, words, maxPerTier);
}

function byMeaning(similarities: Similarities, threshold: number): readonly number[] {
  return [...similarities]
    .filter(([, similarity]) => similarity >= threshold)
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxPerTier)
    .map(([id]) => id);
}

/** The last tier finds what full text can't: parts of words, and languages without spaces. At least a third must match. */
async function byParts(database: Db, question: string): Promise<readonly number[]> {
  const parts = wordsOf(question).flatMap(partsOf);
  if (parts.length === 0) return [];
  const like = sql.raw(dialectOf(database).like);
  const hits = sql.join(
    parts.map(
      (part) =>
        sql`case when content || ' ' || category || ' ' || tags ${like} ${`%${escaped(part)}%`} escape '\\' then 1 else 0 end`,
    ),
    sql` + `,
  );
  const { rows } = await sql<{ id: number }>`
    select id, ${hits} as hits from memory_memories where archived_at is null and superseded_by is null
    and (${hits}) * 3 >= ${parts.length} order by hits desc, id desc limit ${sql.lit(maxPerTier)}`.execute(
    database,
  );
  return rows.map(({ id }) => id);
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const textOf = ({ content, category, tags }: Memory): string => [content, category, ...tags].join(' ');

function hasLabels(memory: Memory, { category, tags = [] }: RecallOptions): boolean {
  if (category !== undefined && memory.category !== category) return false;
  return tags.every((tag) => memory.tags.includes(tag));
}
