import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stem } from '../../../../plugins/builtin-search/index/stem.ts';
import { synonyms } from '../../../../plugins/builtin-search/ranking/synonyms.ts';

const folder = join(import.meta.dirname, '../../../../plugins/builtin-search/ranking/synonyms');
const topics = readdirSync(folder);

test.each(topics)('%s has one group a line, of two plain words at least, and all of them count', (topic) => {
  const [, text = ''] = readFileSync(join(folder, topic), 'utf8').split('`');
  const groups = text.trim().split('\n');
  expect(groups.filter((group) => !/^[a-z\d]+(?: [a-z\d]+)+$/.test(group))).toEqual([]);
  for (const group of groups) {
    const [first, ...others] = group.split(' ').map(stem);
    for (const other of others)
      if (other !== first) expect(synonyms.get(first!)?.has(other), group).toBe(true);
  }
});

test('no group is duplicated', () => {
  const groups = topics
    .flatMap((topic) => readFileSync(join(folder, topic), 'utf8').split('`')[1]!.trim().split('\n'))
    .map((group) => group.split(' ').toSorted().join(' '));
  expect(groups.filter((group, at) => groups.indexOf(group) !== at)).toEqual([]);
});
