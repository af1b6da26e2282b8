import { expect, test } from 'vitest';
import {
  contentHash,
  createMemoryVectorCache,
} from '../../../../plugins/builtin-search/vectors/vector-cache.ts';
import { mostSimilar, similarities } from '../../../../plugins/builtin-search/vectors/vectors.ts';

const vector = (...values: number[]): Float32Array => Float32Array.from(values);
const vectors = new Map([
  ['east', vector(2, 0)],
  ['north', vector(0, 3)],
  ['north-east', vector(1, 1)],
  ['west', vector(-1, 0)],
]);

test('the most alike come first, whatever their length, none below the least', () => {
  expect(mostSimilar(vector(5, 0), vectors, 2).map(({ id }) => id)).toEqual(['east', 'north-east']);
  expect(mostSimilar(vector(5, 0), vectors, 9, 0.5)).toEqual([
    { id: 'east', similarity: 1 },
    { id: 'north-east', similarity: expect.closeTo(Math.SQRT1_2, 6) },
  ]);
});

test('what cannot be compared is left out', () => {
  const odd = new Map([...vectors, ['other model', vector(1, 0, 0)], ['nothing', vector(0, 0)]]);
  expect(similarities(vector(1, 0), odd).map(({ id }) => id)).toEqual([...vectors.keys()]);
});

test('vectors are kept apart by model', async () => {
  const cache = createMemoryVectorCache();
  const hash = contentHash('a text');
  await cache.putMany('one', new Map([[hash, vector(1)]]));
  expect(await cache.getMany('one', [hash, contentHash('another')])).toEqual(new Map([[hash, vector(1)]]));
  expect(await cache.getMany('two', [hash])).toEqual(new Map());
});
