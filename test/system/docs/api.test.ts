import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiPage } from '../../../tools/api-page.ts';
import { repository } from '../../kit/homes/clone.ts';

const page = apiPage();

test('docs/api.md is what the docstrings say: npm run docs:api writes it', () => {
  expect(readFileSync(join(repository, 'docs/api.md'), 'utf8')).toBe(page);
});

test('every function, class and constant that can be imported is explained', () => {
  const values = [...page.matchAll(/^### (\w+)\n\n(.*)\n\n```ts\n(?:function|class|const) /gm)];
  expect(values.length).toBeGreaterThan(40);
  expect(
    [...page.matchAll(/^### (\w+)\n\n```ts\n(?:function|class|const) /gm)].map(([, name]) => name),
  ).toEqual([]);
});
