import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { languageOf, languagesLoaded } from '../../../../host/cli/terminal/markdown/languages.ts';
import { paintCode } from '../../../../host/cli/terminal/markdown/paint-code.ts';
import { createMarkdownStream, renderMarkdown } from '../../../../host/cli/terminal/markdown/stream.ts';
import { createStyle } from '../../../../host/cli/terminal/style.ts';
import { widthOf } from '../../../../host/cli/terminal/width.ts';
import { expectLinear } from '../../../kit/growth.ts';

const painted = (text: string, name: string): string => `<${name}>${text}</${name}>`;
/** Styles in readable form. */
const marking = Object.fromEntries(
  Object.keys(createStyle(process.stdout, process.env, () => 'auto')).map((name) => [
    name,
    (text: string) => painted(text, name),
  ]),
) as unknown as ReturnType<typeof createStyle>;
const plain = Object.fromEntries(
  Object.keys(marking).map((name) => [name, (text: string) => text]),
) as unknown as typeof marking;

/** The text in pieces of this size, and every intermediate rendering. */
function stream(
  text: string,
  { width = 60, size = 1, style = plain } = {},
): { kept: string[]; pictures: string[][] } {
  const markdown = createMarkdownStream(() => ({ style, width }));
  const kept: string[] = [];
  const pictures: string[][] = [];
  for (let at = 0; at < text.length; at += size) {
    markdown.feed(text.slice(at, at + size));
    kept.push(...markdown.finished());
    pictures.push([...kept, ...markdown.unfinished()]);
  }
  kept.push(...markdown.end());
  return { kept, pictures };
}

const render = (text: string, options: { width?: number; style?: typeof marking } = {}): string =>
  stream(text, { ...options, size: text.length }).kept.join('\n');

const everything = `# A heading

Text with **bold**, *leaning*, ~~gone~~ and \`code\`, [a link](https://example.com) & more.
It goes on.

1. one
2. two

   with a paragraph
   - nested
3. three

- [x] done
- [ ] open

> quoted
> lines

\`\`\`ts
const x = 1;

const y = '**not bold**';
\`\`\`

| Name | Cost |
|:-----|-----:|
| a | 1 |
| **b** | 20 |

---

The end.
`;

describe('Markdown on a terminal', () => {
  test.for([
    ['a heading stands out', '# Title', '<heading>Title</heading>'],
    ['bold and leaning words', 'so **very** *so*', 'so <title>very</title> <emphasis>so</emphasis>'],
    ['code within a line', 'run `ls -l`', 'run <name>ls -l</name>'],
    ['the address of a link is shown', '[x](http://y.z)', '<link>x</link><quiet> (http://y.z)</quiet>'],
    ['an address that stands for itself is shown once', '<http://y.z>', '<link>http://y.z</link>'],
    ['a look in the middle of a word', 'un**believ**able', 'un<title>believ</title>able'],
    ['a list', '- a\n- b\n  - c', '<quiet>• </quiet>a\n<quiet>• </quiet>b\n  <quiet>• </quiet>c'],
    ['line breaks stay', 'one\ntwo\n\n- a\n  b', 'one\ntwo\n\n<quiet>• </quiet>a\n  b'],
    ['numbers go on from the first', '7. a\n8. b', '<quiet>7. </quiet>a\n<quiet>8. </quiet>b'],
    ['tasks', '- [x] a\n- [ ] b', '<good>☑ </good>a\n<quiet>☐ </quiet>b'],
    ['a quotation', '> a\n>\n> b', '<quiet>│ </quiet>a\n<quiet>│ </quiet>\n<quiet>│ </quiet>b'],
    ['HTML is text', '<b>x</b> &amp; &lt;y&gt;', '<b>x</b> & <y>'],
  ] as const)('%s', ([, text, lines]) => {
    expect(render(text, { style: marking })).toBe(lines);
  });

  test('code is shown unchanged between rules, however long its lines are', () => {
    const long = `echo ${'x'.repeat(100)}`;
    const lines = render(`\`\`\`sh\n${long}\n\n  **as is**\n\`\`\``, { width: 20 }).split('\n');
    expect(lines).toEqual(['── sh ──────────────', long, '', '  **as is**', '─'.repeat(20)]);
  });

  test('a table is aligned, and its cells are broken into lines rather than cut', () => {
    const table = `| Tool | What it does | N |\n|---|---|--:|\n| read | ${'word '.repeat(8)}| 7 |\n| ls | short | 12 |`;
    const lines = render(table, { width: 34 }).split('\n');
    expect(lines[0]).toBe('Tool  What it does               N');
    expect(lines[1]).toMatch(/^─{4,} {2}─+ {2}─+$/);
    expect(
      lines
        .filter((line) => line.includes('word'))
        .join(' ')
        .match(/word/g),
    ).toHaveLength(8);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(34);
  });

  test('a table that is too wide for its terminal becomes one entry below the other', () => {
    const cells = ['alpha', 'beta', 'gamma', 'delta'];
    const table = `|${cells.join('|')}|\n|${'---|'.repeat(4)}\n|1|2|3|4|`;
    expect(render(table, { width: 20 })).toBe('alpha: 1\nbeta: 2\ngamma: 3\ndelta: 4');
  });

  test('cells beyond the header are in the last column', () => {
    expect(render('| a | b |\n|---|---|\n| 1 | grep x | wc | |\n| 2 |')).toMatch(
      /^a {2}b\n.*\n1 {2}grep x \| wc\n2$/,
    );
  });

  test.for([20, 33, 60])('no line but code is wider than %d columns', (width) => {
    const words =
      'Ein Satz mit 中文字符 and 🎉 emoji, https://example.com/a/very/long/address/that/has/no/end. ';
    const text = `${words.repeat(3)}\n\n- ${words}\n  > ${words}\n\n| a | b |\n|---|---|\n| ${words} | ${words} |`;
    for (const line of render(text, { width }).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });
});

describe('code in a language', () => {
  const page = { style: marking, width: 12 };

  test.for([
    [
      'ts',
      'const x: T = 1; // one',
      '<keyword>const</keyword> x: <type>T</type> = <number>1</number>; <quiet>// one</quiet>',
    ],
    ['python', '"""a\n1"""\nNone', '<string>"""a</string>\n<string>1"""</string>\n<keyword>None</keyword>'],
    ['SH', "echo 'a' $b", "<type>echo</type> <string>'a'</string> $b"],
    ['json', '{"a": [true]}', '{<string>"a"</string>: [<number>true</number>]}'],
    ['diff', '-a\n+b', '<bad>-a</bad>\n<good>+b</good>'],
    ['never-heard-of', 'const x', '<code>const x</code>'],
    ['', 'const x', '<code>const x</code>'],
  ] as const)('%s is coloured by what its parts are', async ([language, code, painted]) => {
    const lines = await renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``, page);
    expect(lines.slice(1, -1).join('\n')).toBe(painted);
  });

  test('is finished when its colours are there, so it is drawn once; what follows waits for it', async () => {
    const markdown = createMarkdownStream(() => page);
    markdown.feed('One.\n\n```lua\nlocal a\n```\n\nTwo.\n\nThree.');
    const kept = markdown.finished();
    await languagesLoaded();
    kept.push(...markdown.finished(), ...markdown.end());
    expect(kept).toContain('<keyword>local</keyword> a');
    expect(kept.filter((line) => /[A-Z]/.test(line))).toEqual(['One.', 'Two.', 'Three.']);
  });

  test.for(['js', 'perl', 'yaml', 'erlang'])(
    'no character of %s is lost, and whatever it is takes time by its length',
    async (language) => {
      languageOf(language);
      await languagesLoaded();
      for (const part of ['${', '=~', '<<A\n', 'x\ty ']) {
        await expectLinear((length) => {
          const code = part.repeat(length / part.length).replaceAll(/([^\n]{900})/g, '$1\n');
          expect(paintCode(code, languageOf(language), plain).join('\n')).toBe(code);
        }, 10_000);
      }
    },
  );
});

describe('Markdown that comes in pieces', () => {
  test.for([1, 2, 3, 7, 40])('in pieces of %d characters it ends up the same', (size) => {
    expect(stream(everything, { size }).kept.join('\n')).toBe(render(everything));
  });

  test('what is finished never changes again', () => {
    const { kept, pictures } = stream(everything);
    const markdown = createMarkdownStream(() => ({ style: plain, width: 60 }));
    let finished: string[] = [];
    for (const character of everything) {
      markdown.feed(character);
      finished = [...finished, ...markdown.finished()];
      expect(kept.slice(0, finished.length)).toEqual(finished);
    }
    expect(pictures.at(-1)).toEqual(kept);
  });

  test('paragraphs are finished as soon as the next one begins, so a long answer is not drawn over and over', () => {
    const markdown = createMarkdownStream(() => ({ style: plain, width: 60 }));
    markdown.feed('One.\n\nTwo');
    expect(markdown.finished()).toEqual(['One.']);
    expect(markdown.unfinished()).toEqual(['', 'Two']);
  });

  test('a mark that is not closed yet does not flicker', () => {
    const { pictures } = stream('so **very bold** and `code` and [a link](https://x.y) ok');
    for (const [line] of pictures) expect(line ?? '').not.toMatch(/\*|`|\[|\]/);
  });

  test('a new start drops what was not finished', () => {
    const markdown = createMarkdownStream(() => ({ style: plain, width: 60 }));
    markdown.feed('Half an ans');
    markdown.drop();
    markdown.feed('Whole.');
    expect(markdown.end()).toEqual(['Whole.']);
  });

  test.for([
    ['colours', '\x1b[31mred\x1b[0m'],
    ['clearing the screen', '\x1b[2J\x1b[Hred'],
    ['a window title', '\x1b]0;owned\x07red'],
    ['a link with another address', '\x1b]8;;http://evil\x1b\\red\x1b]8;;\x1b\\'],
    ['a carriage return', 'red\rred'],
    ['eight-bit controls', '\x9b2Jred'],
    ['text that runs backwards', 'red\u202e'],
    ['half of a sequence at the end', 'red\x1b['],
  ] as const)('%s: nothing that a terminal obeys gets through, however it is cut', ([, hostile]) => {
    for (const size of [1, 2, 5]) {
      const { kept, pictures } = stream(
        `a ${hostile} b\n\n\`\`\`\n${hostile}\n\`\`\`\n\n| ${hostile} |\n|---|\n`,
        { size },
      );
      for (const line of [...kept, ...pictures.flat()]) {
        // eslint-disable-next-line no-control-regex
        expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        expect(line).toBe(stripVTControlCharacters(line));
      }
      expect(kept.join('\n')).toContain('red');
    }
  });
});

test.for([
  ['quotations in one another', '> '],
  ['lists in one another', '1. '],
  ['looks that never end', '*a_'],
  ['empty lines', '\n'],
  ['links that never end', '[a]('],
])('%s by the thousand are shown as they are written, in time by their number', async ([, part]) => {
  await expectLinear((count) => {
    const text = part!.repeat(count);
    expect(render(text).trim()).toBe(text.trim());
  }, 5_000);
});
