/** How much is kept of what files were before they were changed. Megabytes. */
export interface UndoLimits {
  /** Of one file. */
  readonly fileSize: number;
  /** Of one turn, and of the folders that a program may change. */
  readonly turnSize: number;
  /** Of all turns; the oldest are removed first. 0: nothing is recorded. */
  readonly totalSize: number;
}

export const megabyte = 1024 * 1024;

/** Maximum number of entries of a folder that a program may change, before it and after. */
export const maxEntries = { before: 5_000, after: 20_000 } as const;
