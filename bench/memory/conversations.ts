import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A parsed conversation in LoCoMo's format (Maharana et al., 2024). */
export interface Conversation {
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  /** The text, with the speaker's name. */
  readonly text: string;
  /** ISO 8601 */
  readonly at: string;
}

interface Question {
  readonly text: string;
  readonly kind: Kind;
  /** Ids of the turns that answer it; at least one. */
  readonly evidence: readonly Turn[];
}

const kinds = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
} as const;
export type Kind = (typeof kinds)[keyof typeof kinds];

/** Questions that no conversation of bench/memory-data answers. */
export const readForeignQuestions = (): readonly string[] =>
  readFileSync(join(import.meta.dirname, '../memory-data/foreign.txt'), 'utf8')
    .trim()
    .split('\n');

interface Written {
  readonly conversation: { readonly [key: string]: unknown };
  readonly qa: readonly {
    readonly question: string;
    readonly evidence?: readonly string[];
    readonly category: keyof typeof kinds;
  }[];
}

/** Assumed seconds between two turns of a session, since only its beginning is known. */
const betweenTurns = 30;

/** The conversations of one file, or of bench/memory-data. */
export function readConversations(path?: string): readonly Conversation[] {
  const folder = join(import.meta.dirname, '../memory-data');
  const files =
    path === undefined
      ? globSync('*.json', { cwd: folder })
          .sort()
          .map((file) => join(folder, file))
      : [path];
  return files.flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as Written[]).map(toConversation));
}

function toConversation({ conversation, qa }: Written): Conversation {
  /** Turns by id: "D1:3" is the third of the first session. */
  const turns = new Map<string, Turn>();
  for (let session = 1; `session_${session}` in conversation; session++) {
    const begin = toTime(String(conversation[`session_${session}_date_time`]));
    const said = conversation[`session_${session}`] as { speaker: string; dia_id: string; text: string }[];
    said.forEach(({ speaker, dia_id, text }, at) => {
      turns.set(dia_id, {
        role: speaker === conversation['speaker_a'] ? 'user' : 'assistant',
        text: `${speaker}: ${text}`,
        at: new Date(begin + at * betweenTurns * 1_000).toISOString(),
      });
    });
  }
  const questions = qa.map(({ question, evidence = [], category }) => ({
    text: question,
    kind: kinds[category],
    // Some entries of LoCoMo name several turns at once, and some name turns that don't exist.
    evidence: [...new Set(evidence.flatMap((entry) => entry.match(/D\d+:\d+/g) ?? []))].flatMap(
      (id) => turns.get(id) ?? [],
    ),
  }));
  return { turns: [...turns.values()], questions: questions.filter(({ evidence }) => evidence.length > 0) };
}

/** "1:56 pm on 8 May, 2023" */
function toTime(written: string): number {
  const [, time, half, date] = /^([\d:]+) (am|pm) on (.+)$/.exec(written) ?? [];
  const moment = Date.parse(`${date?.replace(',', '')} ${time} ${half} UTC`);
  if (Number.isNaN(moment)) throw new Error(`no session begins at "${written}"`);
  return moment;
}
