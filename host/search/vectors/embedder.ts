/** Turns texts into vectors that lie near each other where the texts mean much the same. */
export interface Embedder {
  /** Vectors of different models can't be compared, and are cached apart. */
  readonly model: string;
  /**
   * One vector a text, in their order, all of one length. No text may be empty. Throws PEG_MODEL_UNAVAILABLE (after
   * retries), PEG_MODEL_REFUSED (bad key, unknown model) or PEG_CANCELLED.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
