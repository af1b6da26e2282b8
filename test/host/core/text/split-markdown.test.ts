import { expect, test } from 'vitest';
import { splitMarkdown } from '../../../../host/core/text/split-markdown.ts';

test('paragraphs stay whole where they fit, and long ones are split between lines, sentences or words', () => {
  expect(splitMarkdown('one\n\ntwo\n\nthree', 100)).toEqual(['one\n\ntwo\n\nthree']);
  expect(splitMarkdown('one one\n\ntwo two\n\nthree three', 18)).toEqual([
    'one one\n\ntwo two',
    'three three',
  ]);
  expect(splitMarkdown('a line of text\nanother line', 20)).toEqual(['a line of text', 'another line']);
  expect(splitMarkdown('This is one. And two.', 14)).toEqual(['This is one.', 'And two.']);
  expect(splitMarkdown('some words here', 12)).toEqual(['some words', 'here']);
  expect(splitMarkdown('aaaa😀bbbb', 5)).toEqual(['aaaa', '😀bbb', 'b']);
  expect(splitMarkdown(' \n\u200B\n', 5)).toEqual([]);
});

test('a code block that is split is one in each text, and nothing in it ends it', () => {
  const code = Array.from({ length: 9 }, (_, line) => `line ${line}`);
  const texts = splitMarkdown(`Look:\n\n\`\`\`ts\n${code.join('\n')}\n\`\`\`\nDone.`, 40);
  expect(texts.length).toBeGreaterThan(2);
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(40);
    expect((text.match(/```/g) ?? []).length % 2).toBe(0);
  }
  expect(texts.join('\n').match(/line \d/g)).toEqual(code);
  expect(splitMarkdown('````md\n```js\nx\n```\n````', 100)).toEqual([
    '```md\n`\u200B`\u200B`js\nx\n`\u200B`\u200B`\n```',
  ]);
  expect(splitMarkdown('```\nnever closed', 100)).toEqual(['```\nnever closed\n```']);
});

test('whatever the text, no character of it is lost but space, and it takes linear time', () => {
  const text = `${'`'.repeat(50_000)}\n${'> '.repeat(50_000)}\n${'wörd\t'.repeat(50_000)}`;
  const texts = splitMarkdown(text, 1_000);
  expect(texts.every((one) => one.length <= 1_000)).toBe(true);
  expect(texts.join('').match(/wörd/g)).toHaveLength(50_000);
});
