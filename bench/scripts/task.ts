export interface ToolUse {
  readonly tool: string;
  readonly args: object;
}

/** What a person asks for, and how a model that makes no mistakes does it. */
export interface Task {
  readonly kind: 'one call' | 'chain' | 'fan-out' | 'large lists' | 'moves data' | 'writes';
  readonly say: string;
  /** What it searches for, where it has to find its tools first. */
  readonly find: string;
  /** Its calls without a script: those of one round at once. */
  readonly rounds: readonly (readonly ToolUse[])[];
  readonly code: string;
  /** What the script has to return. Absent: it is not compared. */
  readonly want?: unknown;
}

export const use = (tool: string, args: object): ToolUse => ({ tool: `shop.${tool}`, args });
export const many = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
/** All pages of the issues: the first says how many there are. */
export const allIssues = [
  [use('list_issues', { page: 1 })],
  many(5, (at) => use('list_issues', { page: at + 2 })),
] as const;
