import { expect, test } from 'vitest';
import { stem } from '../../../../plugins/builtin-search/index/stem.ts';
import { synonyms } from '../../../../plugins/builtin-search/ranking/synonyms.ts';
import topics from '../../../../plugins/builtin-search/ranking/synonyms.json' with { type: 'json' };

test.each(Object.entries(topics))('%s: groups of two plain words at least, and all count', (_, groups) => {
  expect(groups.filter((group) => !/^[a-z\d]+(?: [a-z\d]+)+$/.test(group))).toEqual([]);
  for (const group of groups) {
    const [first, ...others] = group.split(' ').map(stem);
    for (const other of others)
      if (other !== first) expect(synonyms.get(first!)?.has(other), group).toBe(true);
  }
});

test('no group is duplicated', () => {
  const groups = Object.values(topics)
    .flat()
    .map((group) => group.split(' ').toSorted().join(' '));
  expect(groups.filter((group, at) => groups.indexOf(group) !== at)).toEqual([]);
});
