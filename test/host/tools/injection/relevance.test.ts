import { expect, test } from 'vitest';
import { selectPacks } from '../../../../host/tools/injection/agent-injection.ts';

const packs = [
  { id: 'core', alwaysLoad: true },
  { id: 'web' },
  { id: 'self', alwaysLoad: false },
  { id: 'unembedded' },
];
const message = Float32Array.of(1, 0);
/** A vector whose cosine with the message is `similarity`. */
const at = (similarity: number, length = 1) =>
  Float32Array.of(similarity * length, Math.sqrt(1 - similarity ** 2) * length);
const select = (
  vectors: { readonly [id: string]: Float32Array },
  query: Float32Array | undefined = message,
) =>
  selectPacks(packs, query, new Map(Object.entries(vectors).map(([id, vector]) => [id, [vector]]))).map(
    ({ id }) => id,
  );

test('a pack is in from a similarity of 0.3', () => {
  expect(select({ web: at(0.3001), self: at(0.2999) })).toEqual(['core', 'web', 'unembedded']);
});

test('only the direction of a vector counts', () => {
  expect(select({ web: at(0.31, 1000), self: at(0.29, 0.001) })).toEqual(['core', 'web', 'unembedded']);
});

test('a pack that is always loaded is in, however far it is', () => {
  expect(select({ core: at(-1), web: at(-1), self: at(-1) })).toEqual(['core', 'unembedded']);
});

test('all packs are in when the message has no vector', () => {
  expect(selectPacks(packs, undefined, new Map([['web', [at(-1)]]]))).toEqual(packs);
});

test('a pack is in when its vector says nothing: of another length, or of nothing', () => {
  expect(select({ web: Float32Array.of(0, 1, 0), self: Float32Array.of(0, 0) })).toEqual([
    'core',
    'web',
    'self',
    'unembedded',
  ]);
});

test('a pack is in when one of its tools is near, however far its description is', () => {
  const near = new Map([
    ['web', [at(0.1), at(0.2), at(0.9)]],
    ['self', [at(0.1), at(0.2)]],
  ]);
  expect(selectPacks(packs, message, near).map(({ id }) => id)).toEqual(['core', 'web', 'unembedded']);
});
