import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import type { Choice, Decided, KeptQuestion, OpenQuestion, Questions } from '../../api/questions.ts';
import { isAllowed } from '../../core/answered-elsewhere.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import { isAbandoned, thisProcess } from '../../core/processes/owner.ts';
import type { Tables } from '../database/schema.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';

export interface StoredQuestions extends Questions {
  /** Open questions, oldest first. */
  list(): Promise<readonly OpenQuestion[]>;
  /**
   * Answers an open question. Returns the question and the answer that counts, or undefined if there is none with this
   * number. Throws PEG_USAGE for an answer that it doesn't offer.
   */
  answer(id: number, said: Decided): Promise<AnsweredQuestion | undefined>;
  /** Questions of this asker that are over, of a week, oldest first. */
  ended(asker: string): Promise<readonly EndedQuestion[]>;
  /** Questions whose process ended before they were answered. Each is returned once. */
  takeLost(): Promise<readonly OpenQuestion[]>;
}

export interface EndedQuestion extends Pick<OpenQuestion, 'id' | 'tool' | 'message' | 'askedAt'> {
  /** Undefined when nobody answered in time, or the asker has ended. */
  readonly decided: Decided | undefined;
}

interface AnsweredQuestion {
  /** The question; its `detail` is empty when it was closed before. */
  readonly question: OpenQuestion;
  /** Whether this answer was the first and counts. */
  readonly counts: boolean;
  /** Undefined when it timed out, or the asker has ended. */
  readonly decided: (Decided & { readonly at: string }) | undefined;
}

type Row = Selectable<Tables['questions']>;

/** Milliseconds between two checks for an answer of another process. */
const pollIntervalMs = 200;
/** Old questions are deleted after a week. */
const keepMs = 7 * 86_400_000;

/**
 * Open confirmations of all processes of the home. One UPDATE decides which answer is the first; only the process that
 * asked can take it, once.
 */
export function createQuestions(database: Database): StoredQuestions {
  return {
    async open({ tool, message, detail, notes, choices, asker, agent, binding, expiresAt }) {
      const db = await database.open();
      const now = new Date();
      const oldest = new Date(now.getTime() - keepMs).toISOString();
      await db.deleteFrom('questions').where('asked_at', '<', oldest).execute();
      const row = await db
        .insertInto('questions')
        .values({
          tool,
          message,
          detail,
          notes: JSON.stringify(notes),
          choices: JSON.stringify(choices),
          asker,
          agent: agent ?? null,
          binding,
          owner: thisProcess,
          asked_at: now.toISOString(),
          expires_at: expiresAt,
          decision: null,
          decided_by: null,
          decided_at: null,
          used_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return keptQuestion(db, row);
    },
    async list() {
      const db = await database.existing();
      if (!db) return [];
      await markLost(db);
      const rows = await db
        .selectFrom('questions')
        .selectAll()
        .where('decision', 'is', null)
        .where('expires_at', '>', new Date().toISOString())
        .orderBy('id')
        .execute();
      return rows.map(toQuestion);
    },
    async answer(id, said) {
      const db = await database.existing();
      if (!db) return undefined;
      await markLost(db);
      const find = (): Promise<Row | undefined> =>
        db.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirst();
      const row = await find();
      if (!row) return undefined;
      const question = toQuestion(row);
      if (isAllowed(said) && !question.choices.includes(said.decision as Choice)) throw notOffered(question);
      const counts = row.decision === null && (await decide(db, id, said));
      const { decision, decided_by: by, decided_at: at } = (await find())!;
      return { question, counts, decided: isAnswer(decision) ? { decision, by: by!, at: at! } : undefined };
    },
    async ended(asker) {
      const db = await database.existing();
      const rows = await db
        ?.selectFrom('questions')
        .selectAll()
        .where('asker', '=', asker)
        .where('decision', 'is not', null)
        .orderBy('id')
        .execute();
      return (rows ?? []).map(({ id, tool, message, asked_at: askedAt, decision, decided_by: by }) => ({
        id,
        tool,
        message,
        askedAt,
        decided: isAnswer(decision) ? { decision, by: by ?? '' } : undefined,
      }));
    },
    async takeLost() {
      const db = await database.existing();
      if (!db) return [];
      await markLost(db);
      const taken = await db
        .updateTable('questions')
        .set({ used_at: new Date().toISOString() })
        .where('decision', '=', 'lost')
        .where('used_at', 'is', null)
        .returningAll()
        .execute();
      return taken.map(toQuestion);
    },
  };
}

/** Whether somebody has given it. */
const isAnswer = (decision: Row['decision']): decision is Exclude<Decided['decision'], 'ended'> =>
  decision !== null && decision !== 'lost' && decision !== 'ended';

function keptQuestion(db: Kysely<Tables>, row: Row): KeptQuestion {
  const { id, binding } = row;
  return {
    open: toQuestion(row),
    async markUnattended() {
      await db.updateTable('questions').set({ unattended: 1 }).where('id', '=', id).execute();
    },
    async answered(signal) {
      const isOpen = db
        .selectFrom('questions')
        .select('id')
        .where('id', '=', id)
        .where('decision', 'is', null);
      while (await isOpen.executeTakeFirst()) await delay(pollIntervalMs, undefined, { signal });
    },
    async settle(said) {
      if (!(await decide(db, id, said))) await decide(db, id, { decision: 'ended', by: 'nobody' });
      const taken = await db
        .updateTable('questions')
        .set({ used_at: new Date().toISOString() })
        .where('id', '=', id)
        .where('binding', '=', binding)
        .where('owner', '=', thisProcess)
        .where('decision', 'is not', null)
        .where('used_at', 'is', null)
        .returning(['decision', 'decided_by'])
        .executeTakeFirst();
      if (!taken?.decision || taken.decision === 'lost') {
        throw new PegboardError(
          'PEG_DENIED',
          `${row.tool} was not run: the answer to question ${id} was used before.`,
        );
      }
      return { decision: taken.decision, by: taken.decided_by! };
    },
  };
}

/** False: another answer was first, or the question has expired. */
async function decide(db: Kysely<Tables>, id: number, { decision, by }: Decided): Promise<boolean> {
  const now = new Date().toISOString();
  const decided = await db
    .updateTable('questions')
    .set({ decision, decided_by: by, decided_at: now, detail: null, notes: null })
    .where('id', '=', id)
    .where('decision', 'is', null)
    // A late answer doesn't count, but the end of a question can be recorded at any time.
    .$if(decision !== 'ended', (query) => query.where('expires_at', '>', now))
    .returning('id')
    .executeTakeFirst();
  return decided !== undefined;
}

/** Questions that no process waits for any more. */
async function markLost(db: Kysely<Tables>): Promise<void> {
  const open = await db.selectFrom('questions').selectAll().where('decision', 'is', null).execute();
  for (const { id, owner, asked_at: since } of open) {
    if (!isAbandoned(owner, since)) continue;
    await db
      .updateTable('questions')
      .set({ decision: 'lost', decided_at: new Date().toISOString(), detail: null, notes: null })
      .where('id', '=', id)
      .where('decision', 'is', null)
      .execute();
  }
}

function notOffered({ tool, choices }: OpenQuestion): PegboardError {
  const others =
    choices.length > 1 ? `: the choices are ${choices.join(', ')}` : ': it can only be allowed once';
  return new PegboardError('PEG_USAGE', `${tool} can't be allowed that way${others}.`);
}

const toQuestion = (row: Row): OpenQuestion => ({
  id: row.id,
  tool: row.tool,
  message: row.message,
  detail: row.detail ?? '',
  notes: row.notes === null ? [] : (parseJson(row.notes) as readonly string[]),
  choices: parseJson(row.choices) as OpenQuestion['choices'],
  asker: row.asker,
  agent: row.agent ?? undefined,
  unattended: row.unattended === 1,
  askedAt: row.asked_at,
  expiresAt: row.expires_at,
});
