/** Something to mend, with its place. Nothing is skipped without one. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** kebab-case: "unknown-key", "duplicate-id". */
  readonly code: string;
  /** What was expected and what was found. */
  readonly message: string;
  /** Absolute; relative to the home where it is shown. */
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /** What to write instead: "timout → timeout?" */
  readonly hint?: string;
}
