/** Stores output that was too long to show. */
export interface Artifacts {
  /** Returns the id to pass to `read`. */
  write(text: string): Promise<string>;
  /** Up to `limit` characters from `offset` (UTF-16 units). Throws PEG_NO_ARTIFACT for an unknown id. */
  read(
    id: string,
    offset: number,
    limit: number,
  ): Promise<{ readonly text: string; readonly offset: number; readonly total: number }>;
}
