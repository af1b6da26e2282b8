/** Vectors of texts by the model that made them and a hash of the text, so that each text is embedded once. */
export interface VectorCache {
  /** Those that are known. They must not be changed. */
  getMany(model: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  putMany(model: string, entries: ReadonlyMap<string, Float32Array>): Promise<void>;
}
