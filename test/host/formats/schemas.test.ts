import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemas } from '../../../tools/schemas.ts';
import { repository } from '../../kit/homes/clone.ts';

const folder = join(repository, 'schemas');

test('schemas/ is what host/formats/ says: npm run docs:schemas writes it', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(schemas).toSorted());
  for (const [file, schema] of Object.entries(schemas)) {
    const written: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    expect(JSON.stringify(written, null, 2), file).toBe(JSON.stringify(schema, null, 2));
  }
});

test('a schema is whole in itself, so that an editor needs no other file', () => {
  for (const [file, schema] of Object.entries(schemas)) {
    expect(JSON.stringify(schema).includes('"$ref"'), file).toBe(false);
  }
});
