/** How usage is grouped. */
export type UsageGroup = 'day' | 'model' | 'agent' | 'source';

/** Which calls to include. Days are YYYY-MM-DD in the home's timezone, both inclusive. */
export interface UsageRange {
  readonly from?: string;
  readonly to?: string;
  /** The source of the conversation: "cli", "telegram", "schedule". */
  readonly source?: string;
  readonly agent?: string;
  /** The id of a conversation. */
  readonly conversation?: number;
}

/** Sums of tokens and US dollars. */
export interface UsageSum {
  readonly calls: number;
  /** Includes `cached`. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** The cost of calls with a known price. */
  readonly cost: number;
  /** The number of calls with an unknown price. */
  readonly unpriced: number;
}

export interface UsageLine extends UsageSum {
  /** The day, model, agent or source. */
  readonly name: string;
}

/** How agents used one tool. Tokens can't be attributed to a tool. */
export interface ToolUse {
  /** The tool's id. */
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** Total duration of all calls in milliseconds. */
  readonly ms: number;
}

/** Read access to model and tool usage. */
export interface UsageStats {
  /** The current day, YYYY-MM-DD. */
  today(): string;
  /** Days in chronological order; other groups by cost, then by tokens. */
  summarize(by: UsageGroup, range?: UsageRange): Promise<readonly UsageLine[]>;
  /** Most used first. */
  tools(range?: UsageRange): Promise<readonly ToolUse[]>;
}
