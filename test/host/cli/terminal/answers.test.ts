import { emitKeypressEvents } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  createAnswerReader,
  type TerminalAnswers,
  type Topic,
} from '../../../../host/cli/terminal/answers.ts';
import type { RawKey } from '../../../../host/cli/terminal/keyboard.ts';

const all: readonly Topic[] = ['background', 'cell', 'sixel'];

/** What of these inputs, one after the other, reaches those who listen to keys. */
async function typed(
  inputs: readonly string[],
  topics: readonly Topic[] = all,
): Promise<{ readonly keys: string; readonly answers: TerminalAnswers }> {
  const answers: TerminalAnswers = {};
  const reader = createAnswerReader<string>(answers);
  reader.ask(topics);
  const stdin = new PassThrough();
  emitKeypressEvents(stdin);
  let seen = '';
  stdin.on('keypress', (_text: string | undefined, { sequence = '' }: RawKey) => {
    seen += reader.keys(sequence, sequence).join('');
  });
  for (const input of inputs) {
    stdin.write(input);
    await tick();
  }
  return { keys: seen, answers };
}

const everything = '\x1b]11;rgb:ffff/8080/0000\x1b\\\x1b[6;20;10t\x1b[?62;4;22c';
const learned = {
  background: [255, 128, 0],
  cell: { width: 10, height: 20 },
  sixel: true,
};

test('answers are taken out of the keys, at once or in pieces', async () => {
  expect(await typed([`ab${everything}cd`])).toEqual({ keys: 'abcd', answers: learned });
  expect(await typed(['ab', ...everything.split(''), 'cd'])).toEqual({ keys: 'abcd', answers: learned });
  for (let at = 1; at < everything.length; at++) {
    const pieces = [`a${everything.slice(0, at)}`, `${everything.slice(at)}b`];
    expect(await typed(pieces), `cut at ${at}`).toEqual({ keys: 'ab', answers: learned });
  }
  expect(await typed([`\x1b${everything}x`])).toEqual({ keys: 'x', answers: learned });
  expect((await typed(['\x1b]11;#ffffff\x07x'])).keys).toBe('x');
  expect((await typed(['\x1b[?1;2cx'])).answers).toEqual({ sixel: false });
  expect((await typed(['\x1b[6;0;0tx'])).answers).toEqual({});
});

test('what no answer is reaches the one who listens, in its order', async () => {
  for (const keys of [
    '\x1b]abc',
    '\x1b[6~',
    '\x1b[6;5~',
    '\x1b[A\x1b[B',
    '\x1b[?25z',
    '[?62;4c',
    '\x1b]\x1b[A',
    'y',
  ])
    expect((await typed([keys, ' '])).keys).toBe(`${keys} `);
  expect((await typed([everything], [])).keys).toBe(everything);
});

test('an answer whose first byte was taken for the Escape key is not typed', async () => {
  const answers: TerminalAnswers = {};
  const reader = createAnswerReader<string>(answers);
  reader.ask(all);
  const press = (sequence: string): string => reader.keys(sequence, sequence).join('');
  expect(press('\x1b')).toBe('\x1b');
  expect('[?62;4c'.split('').map(press).join('')).toBe('');
  expect(answers).toEqual({ sixel: true });
  expect('\x1b[x'.split('').map(press)).toEqual(['\x1b', '', '[x']);
});
