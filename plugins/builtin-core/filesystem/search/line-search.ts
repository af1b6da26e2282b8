/** A line that matches: which file of those given, and which line, from 1. */
export interface MatchedLine {
  readonly file: string;
  readonly line: number;
}

export interface LineSearch {
  readonly pattern: string;
  /** This very folder, as a path for system calls. */
  readonly folder: string;
  /** Relative to the folder, with "/". */
  readonly files: readonly string[];
  /** Lines to find at most. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Finds matching lines in the order of the files. All engines agree: regular expressions without look-around and
 * back-references, `^` and `$` at the ends of a line, LF or CRLF. Rejects with PEG_INVALID_ARGUMENTS for a bad pattern.
 */
export type LineSearchEngine = (search: LineSearch) => Promise<readonly MatchedLine[]>;
