/** A confirmation that waits, as those see it who may answer it from elsewhere. */
export interface OpenQuestion {
  /** Never used again in this home. */
  readonly id: number;
  readonly tool: string;
  readonly message: string;
  /** What exactly would run. */
  readonly detail: string;
  /** Where, and what else there is to know, a line each. */
  readonly notes: readonly string[];
  /** Every answer that allows it, "once" first. */
  readonly choices: readonly Choice[];
  /** Where it is asked: "schedule/3", "telegram/1001", "mcp:cursor". */
  readonly asker: string;
  /** The acting agent; undefined for the owner. */
  readonly agent: string | undefined;
  /** Nobody is there where it is asked. */
  readonly unattended: boolean;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

/**
 * An answer that allows a call: this call, calls on this file or in this folder or of this tool for the rest of the
 * conversation, or every call of this tool until it changes.
 */
export type Choice = 'once' | 'file' | 'folder' | 'conversation' | 'always';

/** `ended`: nobody answered, or the question was put away. */
export type Decision = Choice | 'no' | 'ended';

export interface Decided {
  readonly decision: Decision;
  /** Who decided, in words: "Anna (@anna), Telegram", "the terminal". */
  readonly by: string;
}

/** Where questions are kept as long as they wait, for every process of the home to see. */
export interface Questions {
  open(question: NewQuestion): Promise<KeptQuestion>;
}

export interface NewQuestion extends Omit<OpenQuestion, 'id' | 'unattended' | 'askedAt'> {
  /** Stands for all that the answer is about. */
  readonly binding: string;
}

export interface KeptQuestion {
  readonly open: OpenQuestion;
  /** Nobody is there where it is asked. */
  markUnattended(): Promise<void>;
  /** Resolves when somebody elsewhere has answered. Rejects when `signal` aborts. */
  answered(signal: AbortSignal): Promise<void>;
  /**
   * Says how it was answered here, and returns the one answer that counts: the first. Once; throws PEG_DENIED when it was
   * used before, or is about something else.
   */
  settle(said: Decided): Promise<Decided>;
}
