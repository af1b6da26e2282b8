import { expect, test } from 'vitest';
import { bind, placeholdersOf } from '../../../plugins/builtin-database/placeholders.ts';

test.each([
  ['select 1', []],
  ['select ?, ?', [undefined, undefined]],
  ['select ?2, ?1, ?2', [undefined, undefined]],
  ['select ?3', [undefined, undefined, undefined]],
  ['select ?, :a, @b, $c, :a', [undefined, ':a', '@b', '$c']],
  [`select '?', "a?", [b?], \`c?\`, 'it''s ?' -- ?\n, /* ? */ ?`, [undefined]],
  ['select a$b, x -> ?, 1e5, col1?', [undefined, undefined]],
])('%s has these places', (sql, places) => {
  expect(placeholdersOf(sql)).toEqual(places);
});

test('values go to their places, and their number has to fit', () => {
  expect(bind('select ?2, ?1', ['a', 'b'])).toEqual({ named: {}, others: ['a', 'b'] });
  expect(bind('select :x, ?', [1, 2])).toEqual({ named: { ':x': 1 }, others: [2] });
  expect(bind('select ?, ?', [1])).toBe('it has 2 places for values, and params has 1 value: 1 missing');
  expect(bind('select 1', [1, 2])).toBe('it has 0 places for values, and params has 2 values: 2 too many');
});
