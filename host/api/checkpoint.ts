/** Where a call that waits for a person keeps what it needs to go on in another process. It holds one state at most. */
export interface Checkpoint {
  /** What an earlier process has saved for this call. */
  load(): Promise<Uint8Array | undefined>;
  /**
   * Replaces what is saved. From then on the end of the host ends the call at once. `version`: only where it is the same
   * can the call go on; otherwise it counts as cut off.
   */
  save(version: string, state: Uint8Array): Promise<void>;
  /** Must be awaited before the call has a further effect: from then on it can't go on from what was saved. */
  discard(): Promise<void>;
}
