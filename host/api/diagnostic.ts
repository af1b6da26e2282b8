/** A problem in a file, with its position. Nothing is skipped without a diagnostic. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** kebab-case: "unknown-key", "duplicate-id". */
  readonly code: string;
  /** States what was expected and what was found. */
  readonly message: string;
  /** Absolute. Shown relative to the home. */
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /** What to write instead: "timout → timeout?" */
  readonly hint?: string;
}

/** The result of one check of `pegboard doctor`. */
export interface Check {
  /** What was checked, in a word or two: "home", "mcp github". */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** How to fix it. */
  readonly fix?: string;
}
