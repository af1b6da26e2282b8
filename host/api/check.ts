/** One thing that `pegboard doctor` looked at. */
export interface Check {
  /** What was looked at, in a word or two: "home", "mcp github". */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
}
