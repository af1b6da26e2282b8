/** Converts texts into vectors that are close to each other when the texts mean nearly the same. */
export interface Embedder {
  /** Vectors of different models can't be compared, and are cached apart. */
  readonly model: string;
  /**
   * One vector per text, in order, all of the same length. No text may be empty. Throws PEG_MODEL_UNAVAILABLE (after
   * retries), PEG_MODEL_REFUSED (bad key, unknown model) or PEG_CANCELLED.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
