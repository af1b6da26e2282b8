const dimensions = 64;

export interface WordEmbedder {
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  /** Resolves when it has embedded this number of texts. */
  called(texts: number): Promise<void>;
}

/** The similarity of texts is their share of common words; `meanings` defines synonyms. */
export function wordEmbedder(meanings: { readonly [word: string]: string } = {}): WordEmbedder {
  let embedded = 0;
  let waiting: { readonly texts: number; readonly resolve: () => void }[] = [];
  return {
    async embed(texts) {
      embedded += texts.length;
      waiting = waiting.filter(({ texts: wanted, resolve }) => embedded < wanted || resolve());
      return texts.map((text) => toVector(text, meanings));
    },
    called: (texts) =>
      embedded >= texts ? Promise.resolve() : new Promise((resolve) => waiting.push({ texts, resolve })),
  };
}

function toVector(text: string, meanings: { readonly [word: string]: string }): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) vector[placeOf(meanings[word] ?? word)]! += 1;
  return vector;
}

function placeOf(word: string): number {
  let hash = 2166136261;
  for (const character of word) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619) >>> 0;
  return hash % dimensions;
}
