/** The vectors in a response of `/embeddings`, in the order of the texts; `undefined` unless all are there. */
export function readEmbeddings(answer: unknown, count: number): readonly Float32Array[] | undefined {
  const vectors: Float32Array[] = [];
  for (const [place, item] of itemsOf(answer).entries()) {
    const { index, embedding } = item as { readonly index?: unknown; readonly embedding?: unknown };
    const vector = toVector(embedding);
    if (vector) vectors[typeof index === 'number' ? index : place] = vector;
  }
  const length = vectors[0]?.length;
  const isWhole =
    vectors.length === count && Array.from(vectors).every((vector) => vector?.length === length);
  return isWhole ? vectors : undefined;
}

function itemsOf(answer: unknown): readonly object[] {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) ? data.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** An array of numbers, or base64 of their bytes, which some servers always send. */
function toVector(embedding: unknown): Float32Array | undefined {
  if (Array.isArray(embedding)) {
    return embedding.length > 0 && embedding.every((value) => typeof value === 'number')
      ? Float32Array.from(embedding)
      : undefined;
  }
  if (typeof embedding !== 'string') return undefined;
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  return bytes.length > 0 && bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}
