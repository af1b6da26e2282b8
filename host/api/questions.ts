import type { QuestionKind } from './ask.ts';
import type { JsonObject, JsonSchema } from './result.ts';

/** A question that waits for an answer, as other channels see it. */
export interface OpenQuestion {
  /** Never reused in this home. */
  readonly id: number;
  readonly kind: QuestionKind;
  readonly tool: string;
  readonly message: string;
  /** What exactly would run. */
  readonly detail: string;
  /** Where it would run, and other remarks, one per line. */
  readonly notes: readonly string[];
  /** Of a confirmation: the answers that allow the call, "once" first. Empty for other kinds. */
  readonly choices: readonly Choice[];
  /** Of a form or dialog: what the answer must be. */
  readonly schema?: JsonSchema;
  /** Of kind `url`: the address to open. */
  readonly url?: string;
  /** Of kind `files`: whether more than one may be chosen. */
  readonly multiple?: boolean;
  /** Where the question came up: "schedule/3", "telegram/1001", "mcp:cursor". */
  readonly asker: string;
  /** The acting agent; undefined for the owner. */
  readonly agent: string | undefined;
  /** Nobody can answer where the question came up. */
  readonly unattended: boolean;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

/**
 * An answer that allows a call. `once`: this call. `file`, `folder` and `conversation`: calls of this tool on this file, in
 * this folder or with any arguments, for the rest of the conversation. `always`: every call until the tool changes, or the
 * calls that a displayed rule allows.
 */
export type Choice = 'once' | 'file' | 'folder' | 'conversation' | 'always';

/** `answered`: of a question that is no confirmation. `ended`: nobody answered, or the question was dismissed. */
export type Decision = Choice | 'answered' | 'no' | 'ended';

export interface Decided {
  readonly decision: Decision;
  /** With `answered`: the answer. With `no`: what to do instead, as `instead`, if the person said so. */
  readonly content?: JsonObject;
  /** Who decided, as text: "Anna (@anna), Telegram", "the terminal". */
  readonly by: string;
}

/** Stores open questions, visible to every process of the home. */
export interface Questions {
  open(question: NewQuestion): Promise<KeptQuestion>;
  /** Whether somebody looks at a place that shows open questions, such as the page in a browser. */
  isWatched(): Promise<boolean>;
}

export interface NewQuestion extends Omit<OpenQuestion, 'id' | 'unattended' | 'askedAt'> {
  /** A hash of everything that the answer applies to. */
  readonly binding: string;
}

export interface KeptQuestion {
  readonly open: OpenQuestion;
  /** Nobody can answer where the question came up. */
  markUnattended(): Promise<void>;
  /** Resolves when the question was answered on another channel. Rejects when `signal` aborts. */
  answered(signal: AbortSignal): Promise<void>;
  /**
   * Submits the answer given here and returns the answer that counts, which is the first. Call it once. Throws PEG_DENIED
   * when the answer was used before or belongs to another question.
   */
  settle(said: Decided): Promise<Decided>;
}
