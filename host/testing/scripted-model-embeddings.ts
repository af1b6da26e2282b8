const dimensions = 256;

/**
 * The answer of `/embeddings`: bags of words, so that texts which share words are near each other, and the same text
 * always gets the same vector.
 */
export function embed(request: {
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format?: string;
}): object {
  const tokens = request.input.join(' ').length / 4;
  return {
    object: 'list',
    model: request.model,
    data: request.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: request.encoding_format === 'base64' ? toBase64(vectorOf(text)) : [...vectorOf(text)],
    })),
    usage: { prompt_tokens: Math.ceil(tokens), total_tokens: Math.ceil(tokens) },
  };
}

/** Of length 1, unless the text has no word. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) vector[hash(word) % dimensions]! += 1;
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(word)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

const toBase64 = (vector: Float32Array): string => Buffer.from(vector.buffer).toString('base64');
