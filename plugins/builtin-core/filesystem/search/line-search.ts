/** A matching line, by its number from 1. */
export interface MatchedLine {
  readonly file: string;
  readonly line: number;
}

export interface LineSearch {
  readonly pattern: string;
  /** The open folder, as a path for system calls. */
  readonly folder: string;
  /** Relative to the folder, separated by "/". */
  readonly files: readonly string[];
  /** Maximum number of lines to find. Those of binary files don't count. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface FoundLines {
  readonly lines: readonly MatchedLine[];
  /** Binary files in which something matches. */
  readonly binary: readonly string[];
}

/**
 * Finds matching lines in the order of the files. All engines behave alike: regular expressions without look-around and
 * back-references, `^` and `$` at line boundaries, LF or CRLF. Rejects with PEG_INVALID_ARGUMENTS for an invalid
 * pattern.
 */
export type LineSearchEngine = (search: LineSearch) => Promise<FoundLines>;
