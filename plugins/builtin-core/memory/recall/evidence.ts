import { visibleText } from 'pegboard/channels';
import { sql, type Kysely } from 'kysely';
import { fullTextOf } from '../full-text/full-text-of.ts';
import { fitOf } from '../words/fit.ts';
import { kindsIn } from '../words/kinds-of-things.ts';
import type { MemoryTables } from '../tables.ts';
import { askedWordsOf } from '../words/words.ts';

type Db = Kysely<MemoryTables>;

/** A matching message and its position. */
export interface MemoryEvidence {
  readonly message: number;
  readonly session: number;
  readonly position: number;
  readonly source: string;
  readonly role: 'user' | 'assistant';
  /** ISO 8601 */
  readonly at: string;
  readonly text: string;
}

/** Maximum number of matches, and of sessions, to evaluate. */
const maxTurns = 250;
const maxSessions = 100;
/** Number of sessions that determine the score of a conversation. */
const bestSessions = 3;
/** Maximum number of returned messages; more couldn't be packed. */
const maxEvidence = 60;
/**
 * How much a match adds to the score of the messages next to it and next but one, of its session and of its
 * conversation. Measured on bench/memory-data, with one home for each conversation and with one for all: better than
 * reciprocal rank fusion of indexes of windows, in half the time and a third of the space.
 */
const nextTo = [1, 0.5, 0.25] as const;
const sessionShare = 0.8;
const conversationShare = 1.5;
/** Total weight of the words of a kind that the question asks for, relative to a word of the question. */
const kindShare = 0.8;
/** Bonus of messages that state a time, for questions that ask when. */
const timeBonus = 3;
const asksForTime = /^when\b|\bhow long\b|\bhow recent|\b(?:what|which) (?:date|day|week|month|year|time)\b/i;
const saysWhen =
  /\b(?:yesterday|today|tomorrow|tonight|ago|(?:last|next|this) \w+|weekend|weeks?|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)|\d{1,2}:\d\d)\b/i;

/**
 * The messages most relevant to the question, best first. Empty when none fits. `boosted` adds to the scores of
 * messages by id.
 */
export async function findEvidence(
  database: Db,
  question: string,
  boosted: ReadonlyMap<number, number> = new Map(),
): Promise<readonly MemoryEvidence[]> {
  const words = askedWordsOf(question);
  if (words.length === 0) return [];
  const turns = [
    ...(await fullTextOf(database).matchTurns(database, words, maxTurns)),
    ...(await Promise.all(kindsIn(question).map((kind) => matchKind(database, kind)))).flat(),
  ];
  const scores = new Map<number, number>();
  const add = (place: number, score: number): void =>
    void scores.set(place, (scores.get(place) ?? 0) + score);
  for (const { session, position, score } of turns) {
    nextTo.forEach((share, distance) => {
      add(placeOf(session, position + distance), share * score);
      if (distance > 0 && position >= distance) add(placeOf(session, position - distance), share * score);
    });
  }
  const sessions = await matchSessions(database, words);
  for (const [place, score] of scores) scores.set(place, score + (sessions.get(sessionAt(place)) ?? 0));
  for (const { session, position, message } of await placesOf(database, boosted))
    add(placeOf(session, position), boosted.get(message)!);
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, maxEvidence);
  const found = await readEvidence(
    database,
    best.map(([place]) => place),
  );
  if (boosted.size === 0 && !hasAny(found, question)) return [];
  if (!asksForTime.test(question)) return found;
  const scored = found.map((each) => {
    const score = scores.get(placeOf(each.session, each.position))!;
    return { each, score: saysWhen.test(each.text) ? score + timeBonus : score };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ each }) => each);
}

/** Whether a message and its neighbours contain enough of the question. */
function hasAny(found: readonly MemoryEvidence[], question: string): boolean {
  const fit = fitOf(question);
  const texts = new Map(found.map(({ session, position, text }) => [placeOf(session, position), text]));
  const around = nextTo.flatMap((_, distance) => (distance === 0 ? [0] : [distance, -distance]));
  return [...texts.keys()].some((place) =>
    fit.isEnough(around.map((distance) => texts.get(place + distance) ?? '').join('\n')),
  );
}

/** A position as one number, for comparison and lookup. A session has fewer turns than this. */
const placesInSession = 1_024;
const placeOf = (session: number, position: number): number => session * placesInSession + position;
const sessionAt = (place: number): number => Math.floor(place / placesInSession);

interface Scored {
  readonly session: number;
  readonly position: number;
  readonly score: number;
}

/** Any of the words. Several of them don't add up, and a rare kind counts more than a frequent one. */
async function matchKind(database: Db, words: readonly string[]): Promise<readonly Scored[]> {
  const rows = await fullTextOf(database).turnsWith(database, words);
  const rarity = Math.log(((rows[0]?.turns ?? 0) - rows.length + 0.5) / (rows.length + 0.5));
  if (rarity <= 0) return [];
  return rows.map(({ session, position }) => ({ session, position, score: kindShare * rarity }));
}

/** The score added by each session: its own, and the best of its conversation. */
async function matchSessions(database: Db, words: readonly string[]): Promise<ReadonlyMap<number, number>> {
  const rows = await fullTextOf(database).matchSessions(database, words, maxSessions);
  const conversations = new Map(
    [...Map.groupBy(rows, ({ conversation }) => conversation)].map(([id, sessions]) => [
      id,
      sessions.slice(0, bestSessions).reduce((sum, { score }) => sum + score, 0) / bestSessions,
    ]),
  );
  return new Map(
    rows.map(({ id, conversation, score }) => [
      id,
      sessionShare * score + conversationShare * conversations.get(conversation)!,
    ]),
  );
}

async function placesOf(
  database: Db,
  messages: ReadonlyMap<number, number>,
): Promise<readonly { readonly message: number; readonly session: number; readonly position: number }[]> {
  if (messages.size === 0) return [];
  return await database
    .selectFrom('memory_turns')
    .select(['message_id as message', 'session_id as session', 'position'])
    .where('message_id', 'in', [...messages.keys()])
    .execute();
}

/** Positions beyond the end of a session, and forgotten turns, are left out. */
async function readEvidence(database: Db, places: readonly number[]): Promise<readonly MemoryEvidence[]> {
  if (places.length === 0) return [];
  const values = places.map(
    (place) => sql`(cast(${sessionAt(place)} as bigint), cast(${place % placesInSession} as bigint))`,
  );
  const { rows } = await sql<MemoryEvidence>`
    select turn.message_id as message, turn.session_id as session, turn.position, session.source, turn.role, turn.at, fts.text
    from memory_turns turn
    join memory_sessions session on session.id = turn.session_id
    join memory_turns_fts fts on fts.rowid = turn.message_id
    where (turn.session_id, turn.position) in (values ${sql.join(values)})`.execute(database);
  const found = new Map(
    rows.map((row) => [placeOf(row.session, row.position), { ...row, text: visibleText(row.text) }]),
  );
  return places.flatMap((place) => found.get(place) ?? []);
}
