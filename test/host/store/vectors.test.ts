import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase } from '../../../host/store/database/database.ts';
import { createVectors } from '../../../host/store/vectors.ts';
import { createHome, createUnusedHome } from '../../kit/homes/home.ts';
import { databaseOf } from '../../kit/database.ts';

test('vectors come back bit by bit, by model and hash, also after a restart', async () => {
  await using home = await createHome();
  const file = join(home.path, 'data/pegboard.db');
  const first = new Float32Array([1, -0.1, 3.402_823_5e38, 1e-45]);
  const second = new Float32Array([0, 0.5, 1, 2]).subarray(1, 3);
  {
    await using database = createDatabase(file);
    const vectors = createVectors(database);
    await vectors.putMany('m', new Map([['a', new Float32Array(9)]]));
    await vectors.putMany(
      'm',
      new Map([
        ['a', first],
        ['b', second],
      ]),
    );
    await vectors.putMany('other', new Map([['a', new Float32Array([7])]]));
  }
  await using database = createDatabase(file);
  const vectors = createVectors(database);
  expect(await vectors.getMany('m', ['a', 'nothing', 'b'])).toEqual(
    new Map([
      ['a', first],
      ['b', new Float32Array([0.5, 1])],
    ]),
  );
  expect(await vectors.getMany('other', ['a', 'b'])).toEqual(new Map([['a', new Float32Array([7])]]));
});

test('ten thousand vectors go in and out at once', async () => {
  await using home = await createHome();
  await using database = databaseOf(home);
  const vectors = createVectors(database);
  const entries = new Map(Array.from({ length: 10_000 }, (_, n) => [`h${n}`, new Float32Array([n, n / 2])]));
  await vectors.putMany('m', entries);
  expect(await vectors.getMany('m', [...entries.keys()])).toEqual(entries);
});

test('asking for vectors makes no database', async () => {
  await using home = await createUnusedHome();
  await using database = databaseOf(home);
  expect(await createVectors(database).getMany('m', ['a'])).toEqual(new Map());
  expect(existsSync(join(home.path, 'data'))).toBe(false);
});
