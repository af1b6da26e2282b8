import { setTimeout as delay } from 'node:timers/promises';
import type { Insertable, Kysely, Selectable } from 'kysely';
import type {
  Choice,
  Decided,
  KeptQuestion,
  NewQuestion,
  OpenQuestion,
  Questions,
} from '../../api/questions.ts';
import type { JsonObject } from '../../api/result.ts';
import { isAllowed } from '../../core/answered-elsewhere.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import { thisProcess } from '../../core/processes/owner.ts';
import { findAbandoned } from '../database/abandoned.ts';
import type { Tables } from '../database/schema.ts';
import { createQuestionWatchers, type QuestionWatchers } from './question-watchers.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';

export interface StoredQuestions extends Questions, QuestionWatchers {
  /** Open questions, oldest first. */
  list(): Promise<readonly OpenQuestion[]>;
  /**
   * Answers an open question. Returns the question and the answer that counts, or undefined if there is none with this
   * number. Throws PEG_USAGE for an answer that it doesn't offer, and PEG_DENIED for one with a secret in it, which would
   * not be stored as it is.
   */
  answer(id: number, said: Decided): Promise<AnsweredQuestion | undefined>;
  /** Questions of this asker that are over, of a week, oldest first. */
  ended(asker: string): Promise<readonly EndedQuestion[]>;
  /** The answer that counted. Undefined while there is none, and when there will be none. */
  decided(id: number): Promise<Recorded | undefined>;
  /** Questions whose process ended before they were answered. Each is returned once. */
  takeLost(): Promise<readonly OpenQuestion[]>;
}

export interface EndedQuestion extends Pick<OpenQuestion, 'id' | 'tool' | 'message' | 'askedAt'> {
  /** Undefined when nobody answered in time, or the asker has ended. */
  readonly decided: Decided | undefined;
}

/** An answer, and when it was given: ISO 8601, UTC. */
type Recorded = Decided & { readonly at: string };

interface AnsweredQuestion {
  /** The question; its `detail` is empty when it was closed before. */
  readonly question: OpenQuestion;
  /** Whether this answer was the first and counts. */
  readonly counts: boolean;
  /** Undefined when it timed out, or the asker has ended. */
  readonly decided: Recorded | undefined;
}

type Row = Selectable<Tables['questions']>;

/** Milliseconds between two checks for an answer of another process. */
const pollIntervalMs = 200;
/** Old questions are deleted after a week. */
const keepMs = 7 * 86_400_000;

export interface QuestionsOptions {
  /** Removes secrets. Default: there are none. */
  readonly redact?: (text: string) => string;
}

/**
 * Open questions of all processes of the home. One UPDATE decides which answer is the first; only the process that asked
 * can take it, once.
 */
export function createQuestions(
  database: Database,
  { redact = (text) => text }: QuestionsOptions = {},
): StoredQuestions {
  return {
    ...createQuestionWatchers(database),
    async open(question) {
      const db = await database.open();
      const oldest = new Date(Date.now() - keepMs).toISOString();
      await db.deleteFrom('questions').where('asked_at', '<', oldest).execute();
      const row = await db
        .insertInto('questions')
        .values(toRow(question))
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
      const isOffered =
        said.decision === 'answered'
          ? question.choices.length === 0
          : question.choices.includes(said.decision as Choice);
      if (isAllowed(said) && !isOffered) throw notOffered(question);
      const written = said.content === undefined ? '' : toJson(said.content);
      if (redact(written) !== written) throw holdsSecret(question);
      const counts = row.decision === null && (await decide(db, id, said));
      return { question, counts, decided: recorded((await find())!) };
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
      return (rows ?? []).map((row) => ({
        id: row.id,
        tool: row.tool,
        message: row.message,
        askedAt: row.asked_at,
        decided: recorded(row),
      }));
    },
    async decided(id) {
      const db = await database.existing();
      const row = await db?.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && recorded(row);
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

function recorded({ decision, decided_by: by, decided_at: at }: Row): Recorded | undefined {
  const isAnswer = decision !== null && decision !== 'lost' && decision !== 'ended';
  return isAnswer ? { decision, by: by!, at: at! } : undefined;
}

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
      // Its content stays in this process.
      const { content, ...own } = said;
      const isFirst = await decide(db, id, own);
      if (!isFirst) await decide(db, id, { decision: 'ended', by: 'nobody' });
      const taken = await db
        .updateTable('questions')
        .set({ used_at: new Date().toISOString() })
        .where('id', '=', id)
        .where('binding', '=', binding)
        .where('owner', '=', thisProcess)
        .where('decision', 'is not', null)
        .where('used_at', 'is', null)
        .returning(['decision', 'decided_by', 'answer'])
        .executeTakeFirst();
      if (!taken?.decision || taken.decision === 'lost') {
        throw new PegboardError(
          'PEG_DENIED',
          `${row.tool} was not run: the answer to question ${id} was used before.`,
        );
      }
      if (isFirst) return { ...own, ...(content && { content }) };
      const { decision, decided_by: by, answer } = taken;
      if (answer === null) return { decision, by: by! };
      await db.updateTable('questions').set({ answer: null }).where('id', '=', id).execute();
      return { decision, by: by!, content: parseJson(answer) as JsonObject };
    },
  };
}

/** False: another answer was first, or the question has expired. */
async function decide(db: Kysely<Tables>, id: number, { decision, by, content }: Decided): Promise<boolean> {
  const now = new Date().toISOString();
  const decided = await db
    .updateTable('questions')
    .set({
      decision,
      decided_by: by,
      decided_at: now,
      answer: content === undefined ? null : toJson(content),
      ...shownOnlyWhileOpen,
    })
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
  const works = open.map(({ id, owner, asked_at: since }) => ({ id, owner, since }));
  const isAbandoned = await findAbandoned(db, works);
  for (const { id } of works.filter(isAbandoned)) {
    await db
      .updateTable('questions')
      .set({ decision: 'lost', decided_at: new Date().toISOString(), ...shownOnlyWhileOpen })
      .where('id', '=', id)
      .where('decision', 'is', null)
      .execute();
  }
}

const shownOnlyWhileOpen = { detail: null, notes: null, asked: null };

function notOffered({ id, tool, choices }: OpenQuestion): PegboardError {
  if (choices.length === 0)
    return new PegboardError('PEG_USAGE', `Question ${id} (${tool}) wants an answer, not a permission.`);
  const others =
    choices.length > 1 ? `: the choices are ${choices.join(', ')}` : ': it can only be allowed once';
  return new PegboardError('PEG_USAGE', `${tool} can't be allowed that way${others}.`);
}

const holdsSecret = ({ id, tool }: OpenQuestion): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `The answer to question ${id} (${tool}) holds the value of a secret of this home, which is stored nowhere else. Give it where the question came up.`,
  );

const toRow = (question: NewQuestion): Insertable<Tables['questions']> => ({
  kind: question.kind,
  tool: question.tool,
  message: question.message,
  asked: toJson({ schema: question.schema, url: question.url, multiple: question.multiple }),
  detail: question.detail,
  notes: JSON.stringify(question.notes),
  choices: JSON.stringify(question.choices),
  asker: question.asker,
  agent: question.agent ?? null,
  binding: question.binding,
  owner: thisProcess,
  asked_at: new Date().toISOString(),
  expires_at: question.expiresAt,
  decision: null,
  decided_by: null,
  decided_at: null,
  answer: null,
  used_at: null,
});

const toQuestion = (row: Row): OpenQuestion => ({
  id: row.id,
  kind: row.kind,
  ...(row.asked === null ? {} : (parseJson(row.asked) as Pick<OpenQuestion, 'schema' | 'url' | 'multiple'>)),
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
