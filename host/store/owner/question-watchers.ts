import { thisProcess } from '../../core/processes/owner.ts';
import { findAbandoned } from '../database/abandoned.ts';
import type { Database } from '../database/database.ts';

/** Processes of the home in which somebody looks at its open questions. */
export interface QuestionWatchers {
  /** Notes whether somebody looks at them in this process. */
  watch(isWatching: boolean): Promise<void>;
  /** Whether somebody looks at them in any process. */
  isWatched(): Promise<boolean>;
}

export function createQuestionWatchers(database: Database): QuestionWatchers {
  return {
    async watch(isWatching) {
      const db = await database.open();
      await db.deleteFrom('question_watchers').where('owner', '=', thisProcess).execute();
      if (!isWatching) return;
      const since = new Date().toISOString();
      await db.insertInto('question_watchers').values({ owner: thisProcess, since }).execute();
    },
    async isWatched() {
      const db = await database.existing();
      if (!db) return false;
      const watchers = await db.selectFrom('question_watchers').selectAll().execute();
      const isAbandoned = await findAbandoned(db, watchers);
      return watchers.some((one) => !isAbandoned(one));
    },
  };
}
