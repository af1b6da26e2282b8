/** By what usage is summed. */
export type UsageGroup = 'day' | 'model' | 'agent' | 'source';

/** Of which calls; days are YYYY-MM-DD where the home is, both included. */
export interface UsageRange {
  readonly from?: string;
  readonly to?: string;
  /** Of the conversation: "cli", "telegram", "schedule". */
  readonly source?: string;
  readonly agent?: string;
}

/** Tokens and US dollars, summed. */
export interface UsageSum {
  readonly calls: number;
  /** Includes `cached`. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Of the calls whose price is known. */
  readonly cost: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
}

export interface UsageLine extends UsageSum {
  /** The day, model, agent or source. */
  readonly name: string;
}

/** How agents used one tool. Which tokens went for it, nobody knows. */
export interface ToolUse {
  /** Its id. */
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** Milliseconds, of all calls. */
  readonly ms: number;
}

/** What models were used for, and which tools; for reading. */
export interface UsageStats {
  /** The day that it is now. */
  today(): string;
  /** Days in order; the others by cost, then by tokens. */
  summarize(by: UsageGroup, range?: UsageRange): Promise<readonly UsageLine[]>;
  /** Those that were used most come first. */
  tools(range?: UsageRange): Promise<readonly ToolUse[]>;
}
