import type { Kysely } from 'kysely';
import type { MemoryTables } from '../tables.ts';

type Db = Kysely<MemoryTables>;

/** A turn that contains a word of the question. */
export interface FoundTurn {
  readonly session: number;
  readonly position: number;
}

/**
 * The full-text indexes of memories, of turns of conversations, and of sessions. Words match in any form, ignore case
 * and accents, and are ranked by BM25. Changes are part of the caller's transaction.
 */
export interface FullText {
  /** Replaces the entry of a memory. */
  setMemory(
    database: Db,
    memory: { readonly id: number; readonly content: string; readonly labels: string },
  ): Promise<void>;
  removeMemory(database: Db, id: number): Promise<void>;
  /** The memories with any of the words, best first. The content counts twice as much as the labels. */
  matchMemories(database: Db, words: readonly string[], limit: number): Promise<readonly number[]>;

  /** Adds a turn, by the id of its message. `grams`: what languages without spaces are found by. */
  addTurn(database: Db, message: number, text: string, grams: string): Promise<void>;
  removeTurns(database: Db, messages: readonly number[]): Promise<void>;
  /** The turns with any of the words, best first. */
  matchTurns(
    database: Db,
    words: readonly string[],
    limit: number,
  ): Promise<readonly (FoundTurn & { readonly score: number })[]>;
  /** All turns with any of the words. `turns`: how many there are, with and without. */
  turnsWith(
    database: Db,
    words: readonly string[],
  ): Promise<readonly (FoundTurn & { readonly turns: number })[]>;
  /** Turns that contain this text, given as bytes, since texts that became secrets are redacted on their way. */
  turnsContaining(
    database: Db,
    text: Uint8Array,
  ): Promise<readonly { readonly message: number; readonly text: string }[]>;

  /** Replaces the entry of a session by the texts of its turns and `day`. Removes it if there are none. */
  setSession(database: Db, id: number, day: string): Promise<void>;
  /** The sessions with any of the words, best first. */
  matchSessions(
    database: Db,
    words: readonly string[],
    limit: number,
  ): Promise<readonly { readonly id: number; readonly conversation: number; readonly score: number }[]>;

  /** Removes what deleted entries leave behind. Not within a transaction. */
  merge(database: Db): Promise<void>;
}
