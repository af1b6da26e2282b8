import { describe, expect, test } from 'vitest';
import { shownText } from '../../../../host/core/foreign/shown-text.ts';
import { oneLine, withoutEscapes } from '../../../../host/cli/terminal/safe.ts';
import { renderTable } from '../../../../host/cli/terminal/table.ts';
import { truncate, widthOf, wrap } from '../../../../host/cli/terminal/width.ts';
import { quoteWord, splitWords } from '../../../../host/core/text/shell-words.ts';
import { expectLinear } from '../../../kit/growth.ts';

const plain = (text: string): string => text;
const style = { title: plain, name: plain, quiet: plain, good: plain, warning: plain, bad: plain };

describe('a table', () => {
  const columns = [
    { title: 'TOOL' },
    { title: 'PARAMETERS', shrinks: true },
    { title: 'DESCRIPTION', shrinks: true },
    { title: 'WIRE', optional: true },
  ];
  const rows = [
    ['example.greet', 'name*, greeting', 'Greets somebody by name, in words of your own', 'greet'],
    ['everything.echo', 'message*', '日本語の説明文です', 'everything__echo'],
  ];

  test('is complete where output is not a terminal', () => {
    const lines = renderTable({ width: Number.POSITIVE_INFINITY, style }, columns, rows);
    expect(lines[1]).toBe(
      'example.greet    name*, greeting  Greets somebody by name, in words of your own  greet',
    );
  });

  test.each([20, 30, 40, 60, 72, 80, 100, 120])('fits %i columns', (width) => {
    const lines = renderTable({ width, style }, columns, rows);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });

  test('leaves out the optional column before it cuts another', () => {
    const [head] = renderTable({ width: 85, style }, columns, rows);
    expect(head).toBe('TOOL             PARAMETERS       DESCRIPTION');
  });

  test('leaves out empty columns', () => {
    expect(renderTable({ width: 80, style }, columns.slice(0, 2), [['a', '']])).toEqual(['TOOL', 'a']);
  });
});

describe('the width of text', () => {
  test.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['\x1b[31mred\x1b[39m', 3],
    ['🎉', 2],
  ])('%j takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test('cut text ends with an ellipsis and fits', () => {
    expect(truncate('日本語', 5)).toBe('日本…');
    expect(truncate('abc', 3)).toBe('abc');
  });

  test('wrapped text breaks between words', () => {
    expect(wrap('one two three four', 10)).toEqual(['one two', 'three four']);
  });

  test.each([80, Infinity])('is wrapped to %s columns in a time that grows with its length', (columns) =>
    expectLinear((size) => wrap('word <b>x</b> '.repeat(size), columns), 2_000),
  );
});

describe('foreign text', () => {
  test('loses its colours, and what moves the cursor or renames the window', () => {
    const hostile = '\x1b[31mred\x1b[0m\x1b[2J\x1b]0;title\x07\x1b[1A\rover\x9b2J';
    expect(withoutEscapes(hostile)).toBe('red\nover');
  });

  test('on one line has neither colours nor breaks', () => {
    expect(oneLine('\x1b[31ma\x1b[0m\n  b\t')).toBe('a b');
  });

  test('that is decided upon shows what could not be seen', () => {
    expect(shownText('rm \u202efdp.\x1b[2K')).toBe('rm \\u{202e}fdp.\\u{1b}[2K');
  });
});

describe('words of a line', () => {
  test.each([
    ['call x a=\'b c\' d="e f"', ['call', 'x', 'a=b c', 'd=e f']],
    ['a\\ b ""', ['a b', '']],
    ['"a \\" b"', ['a " b']],
    ["'\\'", ['\\']],
    ['"\\n"', ['\\n']],
    ['', []],
  ])('%s', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test('an open quote is none of them', () => {
    expect(splitWords("what's this")).toBeUndefined();
  });

  test.each(['plain', 'with space', "it's", '', '$HOME', 'ünïcode'])('%j survives quoting', (word) => {
    expect(splitWords(quoteWord(word))).toEqual([word]);
  });
});
