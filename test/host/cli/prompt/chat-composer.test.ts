import { describe, expect, test } from 'vitest';
import { createComposer, type Composer } from '../../../../host/cli/terminal/editor/composer.ts';
import { layOutBuffer } from '../../../../host/cli/terminal/editor/layout.ts';
import type { Key } from '../../../../host/cli/terminal/keyboard.ts';

const key = (name: string, more: Partial<Key> = {}): Key => ({
  ctrl: false,
  meta: false,
  shift: false,
  name,
  ...more,
});
const ctrl = (name: string): Key => key(name, { ctrl: true });
const alt = (name: string): Key => key(name, { meta: true });

/** Types `text` and presses keys; "|" in the result is the cursor. */
function typed(...pressed: (string | Key)[]): string {
  return shown(type(createComposer(), ...pressed));
}

function type(composer: Composer, ...pressed: (string | Key)[]): Composer {
  for (const one of pressed) {
    if (typeof one !== 'string') composer.press(one);
    else for (const text of one) composer.press({ ctrl: false, meta: false, shift: false, text });
  }
  return composer;
}

function shown({ draft: { text, cursor } }: Composer): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('editing a message', () => {
  test.for([
    ['typing', ['abc'], 'abc|'],
    ['in the middle', ['ac', key('left'), 'b'], 'ab|c'],
    ['Backspace and Delete', ['abcd', key('left'), key('left'), key('backspace'), key('delete')], 'a|d'],
    ['Home and End', ['bc', key('home'), 'a', key('end'), 'd'], 'abcd|'],
    ['word by word', ['one two three', alt('b'), ctrl('left')], 'one |two three'],
    ['a word is deleted', ['one two.three ', ctrl('w')], 'one |'],
    [
      'to the start and to the end',
      ['one two', alt('b'), ctrl('u'), ctrl('e'), 'x', key('left'), ctrl('k')],
      'two|',
    ],
    ['a family is one character', ['a👨‍👩‍👧b', key('left'), key('backspace')], 'a|b'],
    ['a backslash before Enter goes on below', ['a\\', key('return'), 'b'], 'a\nb|'],
    ['Alt-Enter goes on below', ['a', alt('return'), 'b'], 'a\nb|'],
    [
      'up and down within the message',
      ['abc', alt('return'), 'd', key('up'), key('down'), key('up'), 'x'],
      'ax|bc\nd',
    ],
    ['Ctrl-D in a text deletes', ['ab', key('home'), ctrl('d')], '|b'],
  ] as const)('%s', ([, pressed, result]) => {
    expect(typed(...pressed)).toBe(result);
  });

  test('a paste stays together, whatever is in it', () => {
    const pasted = [
      key('paste-start'),
      'a',
      key('return'),
      key('enter'),
      key('tab'),
      'b',
      ctrl('c'),
      key('return'),
      'c',
    ];
    expect(typed(...pasted, key('paste-end'))).toBe('a\n\tb\nc|');
  });

  test('Enter sends, Ctrl-D on an empty line leaves, Ctrl-C interrupts', () => {
    const composer = createComposer();
    expect(composer.press(ctrl('d'))).toBe('ended');
    expect(composer.press(ctrl('c'))).toBe('interrupted');
    type(composer, 'hello');
    expect(composer.press(key('return'))).toBe('sent');
    expect(composer.take()).toBe('hello');
    expect(shown(composer)).toBe('|');
  });

  test('earlier messages come back, those first that begin like this one', () => {
    const composer = createComposer();
    composer.help({
      history: ['git push', 'ls', 'git pull', 'git push'],
      complete: async () => ({ candidates: [], word: '' }),
      onCompleted() {},
    });
    type(composer, 'git', key('up'));
    expect(shown(composer)).toBe('git push|');
    type(composer, key('up'), key('up'));
    expect(shown(composer)).toBe('git pull|');
    type(composer, key('down'), key('down'));
    expect(shown(composer)).toBe('git|');
  });

  test('Tab writes what all candidates agree upon, and shows the rest', async () => {
    const composer = createComposer();
    const changed = Promise.withResolvers<void>();
    composer.help({
      history: [],
      complete: async (before) => ({ candidates: ['/history ', '/his '], word: before }),
      onCompleted: () => changed.resolve(),
    });
    type(composer, '/h', key('tab'));
    await changed.promise;
    expect(shown(composer)).toBe('/his|');
    expect(composer.choices).toEqual(['/history ', '/his ']);
    type(composer, 'x');
    expect(composer.choices).toEqual([]);
  });
});

describe('a message on the screen', () => {
  test('is broken at the width, with the cursor where it belongs', () => {
    const view = layOutBuffer({ text: 'abcdefgh\nij', cursor: 5 }, '> ', 6, 10);
    expect(view).toEqual({ lines: ['> abcd', '  efgh', '  ij'], cursor: { row: 1, column: 3 } });
  });

  test('characters of two columns are not cut in half', () => {
    const view = layOutBuffer({ text: '中文字', cursor: 3 }, '> ', 7, 10);
    expect(view).toEqual({ lines: ['> 中文', '  字'], cursor: { row: 1, column: 4 } });
  });

  test('a full row puts the cursor on the next', () => {
    expect(layOutBuffer({ text: 'abcd', cursor: 4 }, '> ', 6, 10)).toEqual({
      lines: ['> abcd', '  '],
      cursor: { row: 1, column: 2 },
    });
  });

  test('of a long message the part around the cursor is shown', () => {
    const text = Array.from({ length: 50 }, (_, nth) => `line ${nth}`).join('\n');
    const { lines, cursor } = layOutBuffer({ text, cursor: text.indexOf('line 25') }, '> ', 40, 5);
    expect(lines).toHaveLength(5);
    expect(lines[cursor.row]).toBe('  line 25');
  });
});
