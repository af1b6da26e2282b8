import { expect, test } from 'vitest';
import { maxChunkLength, toChunks } from '../../../../plugins/builtin-telegram/outgoing/chunks.ts';
import { readMarkdown } from '../../../../plugins/builtin-telegram/outgoing/markdown.ts';
import { plainOf, toHtml } from '../../../../plugins/builtin-telegram/outgoing/styled-text.ts';
import { reactions, toReaction } from '../../../../plugins/builtin-telegram/tools/reactions.ts';
import { isVisible, parseTelegramHtml } from '../../../kit/telegram/fake-bot-api-html.ts';
import { randomMarkdown } from './random-markdown.ts';
import { effort } from '../../../kit/data/fuzz.ts';

const cases: readonly (readonly [string, string])[] = [
  ['# Title *x*', '<b>Title <i>x</i></b>'],
  ['a **b _c_** ~~d~~', 'a <b>b <i>c</i></b> <s>d</s>'],
  ['`a < b && c`', '<code>a &lt; b &amp;&amp; c</code>'],
  [
    '```ts\nlet a = "<b>";\n```',
    '<pre><code class="language-ts">let a = &quot;&lt;b&gt;&quot;;</code></pre>',
  ],
  ['```\nopen until the end', '<pre>open until the end</pre>'],
  ['- one\n- two\n  1. x\n  2. y', '• one\n• two\n   1. x\n   2. y'],
  ['- [x] done\n- [ ] not', '☑ done\n☐ not'],
  ['> a\n>\n> > b', '<blockquote>a\n\nb</blockquote>'],
  ['[l](https://x.y/?a=1&b="2")', '<a href="https://x.y/?a=1&amp;b=&quot;2&quot;">l</a>'],
  ['[l](javascript:alert(1))', 'l (javascript:alert(1))'],
  ['| a | b |\n|---|--:|\n| 1 | 22 |', '<pre>a |  b\n--+---\n1 | 22</pre>'],
  ['| a |\n|---|\n| 1 | 2 |', '<pre>a\n-----\n1 | 2</pre>'],
  [
    '| a | b |\n|---|---|\n|1|2|3||4|\n| x \\| y | 5 ||',
    '<pre>a     | b\n------+----------\n1     | 2 | 3 | 4\nx | y | 5</pre>',
  ],
  ['| a | b | c |\n|---|---|---|\n| 1 |\n| | 2 |', '<pre>a | b | c\n--+---+--\n1 |   |\n  | 2 |</pre>'],
  [
    '> - | a | b |\n>   |---|---|\n>   | grep x | wc | the lines |',
    '<blockquote>• <pre>a      | b\n-------+---------------\ngrep x | wc | the lines</pre></blockquote>',
  ],
  [
    `| Name | Note |\n|---|---|\n| **a** | ${'word '.repeat(12)} | _more_ \\| end`,
    `<b>Name</b>: <b>a</b>\n<b>Note</b>: ${'word '.repeat(12)}| <i>more</i> | end`,
  ],
  [
    `| Name | Note |\n|---|---|\n| **a** | ${'word '.repeat(12)}[l](https://x.y) |\n| b |  |`,
    `<b>Name</b>: <b>a</b>\n<b>Note</b>: ${'word '.repeat(12)}<a href="https://x.y">l</a>\n\n<b>Name</b>: b\n<b>Note</b>: –`,
  ],
  [`| ${'a'.repeat(30)} | ${'b'.repeat(30)} |\n|---|---|`, `${'a'.repeat(30)}\n${'b'.repeat(30)}`],
  ['~~~~name?~~~~\nx', '<pre>name?~~~~\nx</pre>'],
  ['```\n```', '```\n```'],
  ['<p>raw</p> & 5 < 6', '&lt;p&gt;raw&lt;/p&gt; &amp; 5 &lt; 6'],
  ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
  ['**open', '**open'],
];

test.each(cases)('%j is shown as Telegram can show it', (markdown, html) => {
  expect(toHtml(readMarkdown(markdown))).toBe(html);
});

test('whatever is written, Telegram can parse every piece, and no word is lost', () => {
  const seeds = Array.from({ length: 600 * effort }, (_, index) => index + 1);
  for (const seed of seeds) {
    const { markdown, words, next } = randomMarkdown(seed);
    const chunks = toChunks(readMarkdown(markdown), next(2) === 0 ? maxChunkLength : 20 + next(200));
    for (const chunk of chunks) {
      const plain = plainOf(chunk);
      expect(parseTelegramHtml(toHtml(chunk)).text, `seed ${seed}`).toBe(plain);
      expect(plain.isWellFormed() && isVisible(plain), `seed ${seed}`).toBe(true);
    }
    const all = chunks.map(plainOf).join('');
    expect(
      words.filter((word) => !all.includes(word)),
      `seed ${seed}: ${markdown}`,
    ).toEqual([]);
  }
});

test('a table with a long cell is as long as what stands in it', () => {
  const rows = Array.from(
    { length: 30 },
    (_, row) => `| ${row} | short | ${row === 7 ? 'word '.repeat(200) : 'x'} |`,
  );
  const chunks = toChunks(readMarkdown(['| Id | State | Text |', '|---|---|---|', ...rows].join('\n')));
  expect(chunks).toHaveLength(1);
  expect(plainOf(chunks[0]!)).toContain('Id: 8\nState: short\nText: x');
});

test('long texts are cut between paragraphs, and formatting goes on in the next piece', () => {
  const paragraph = `${'word '.repeat(500)}end.`;
  const chunks = toChunks(
    readMarkdown(`**${paragraph}**\n\n${paragraph}\n\n\`\`\`js\n${'line();\n'.repeat(800)}\`\`\``),
  );
  for (const chunk of chunks) expect(plainOf(chunk).length).toBeLessThanOrEqual(4_000);
  expect(plainOf(chunks[0]!).endsWith('end.\n\n')).toBe(true);
  const code = chunks.slice(-2).map(toHtml);
  for (const html of code) expect(html).toContain('<pre><code class="language-js">');
  expect(code.join('').match(/line\(\);/g)).toHaveLength(800);
});

test('code blocks by the thousand, and marks that would hang a parser, arrive', () => {
  const blocks = toChunks(readMarkdown(`- ${' ```\n\n'.repeat(10_000)}end`));
  expect(plainOf(blocks.at(-1)!)).toContain('end');
  for (const part of ['> ', '1. ', '*a_', '[a]('])
    expect(toChunks(readMarkdown(part.repeat(10_000))).length).toBeGreaterThan(4);
});

test('reactions are written as Telegram wants them, or not at all', () => {
  expect(toReaction('❤️')).toBe('❤');
  expect(toReaction(' 👍')).toBe('👍');
  expect(toReaction('✅')).toBeUndefined();
  expect(new Set(reactions).size).toBe(73);
});
