/** The result of one check of `pegboard doctor`. */
export interface Check {
  /** What was checked, in a word or two: "home", "mcp github". */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** How to fix it. */
  readonly fix?: string;
}
