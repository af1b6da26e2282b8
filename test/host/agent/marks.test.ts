import { expect, test } from 'vitest';
import { createMarkFilter, messageMarkOf, withoutMarks } from '../../../host/agent/marks.ts';

const texts = [
  ['[tg:12] Hello', 'Hello'],
  ['[tg:12][tg:13]\nHello', 'Hello'],
  ['  [tg:12] Hello [tg:14]', 'Hello [tg:14]'],
  ['Hello', 'Hello'],
  ['[tg 12] Hello', '[tg 12] Hello'],
  ['[link](x)', '[link](x)'],
  [`[tg:${'1'.repeat(200)}] Hello`, `[tg:${'1'.repeat(200)}] Hello`],
] as const;

test.for(texts)('of %j a reader sees %j', ([text, shown]) => {
  expect(withoutMarks(text, 'tg')).toBe(shown);
});

test.for(texts)('the same when %j comes in pieces, however it is cut', ([text, shown]) => {
  for (let size = 1; size <= text.length; size++) {
    const filter = createMarkFilter('tg');
    let heard = '';
    for (let at = 0; at < text.length; at += size) heard += filter.add(text.slice(at, at + size));
    expect(heard, `in pieces of ${size}`).toBe(shown);
  }
});

test('a mark names the channel and its own id of the message', () => {
  expect([messageMarkOf('tg', '12'), messageMarkOf('web', 'a-1')]).toEqual(['[tg:12] ', '[web:a-1] ']);
});
