import { expect, test } from 'vitest';
import { classify } from '../../../../host/cli/prompt/classify.ts';
import { readSlash } from '../../../../host/cli/prompt/chat/slash.ts';
import type { Command } from '../../../../host/cli/command.ts';
import { splitText } from '../../../../host/core/text/shell-words.ts';
import type { Snapshot } from '../../../../host/api/source.ts';
import { expectLinear } from '../../../kit/growth.ts';

const snapshot = { find: () => undefined } as unknown as Snapshot;
const add: Command = {
  name: 'remind',
  group: 'From plugins',
  summary: '',
  usage: 'WHEN TEXT…',
  options: [{ name: 'at', value: 'WHEN', summary: '' }],
  examples: [],
  load: () => Promise.reject(new Error('not run')),
};
const read = (line: string) => {
  const found = classify(line, snapshot, [add]);
  return found.kind === 'command'
    ? [found.command.name, found.parsed.words, found.parsed.options.value('at')]
    : found.kind;
};

test.for([
  ["/search what's new", ['search', ["what's", 'new'], undefined]],
  ['/search 5" pipe', ['search', ['5"', 'pipe'], undefined]],
  ['/search C:\\new\\', ['search', ['C:\\new\\'], undefined]],
  ["search Bob's 'best tools' \"here", ['search', ["Bob's", 'best tools', '"here'], undefined]],
  ['/mcp search what\'s "up"', ['mcp search', ["what's", 'up'], undefined]],
  ['/remind "tomorrow at 9" don\'t forget', ['remind', ['tomorrow at 9', "don't", 'forget'], undefined]],
  ['/remind --at="in an hour" x don\'t', ['remind', ['x', "don't"], 'in an hour']],
] as const)('%s takes its text as it is', ([line, expected]) => {
  expect(read(line)).toEqual(expected);
});

test.for([
  ['help clear', 'help'],
  ['help exit', 'help'],
  ['? quit', 'help'],
  ['help help', 'help'],
  ['help tool', ['help', ['tools'], undefined]],
  ['help model', ['help', ['models'], undefined]],
  ['help mcp', ['help', ['mcp'], undefined]],
  ['help remind', ['help', ['remind'], undefined]],
  ['man call', ['help', ['call'], undefined]],
  ['help greet', ['show', ['greet'], undefined]],
] as const)('%s is about what it names', ([line, expected]) => {
  const known = { find: (name: string) => (name === 'greet' ? {} : undefined) } as unknown as Snapshot;
  const found = classify(line, known, [add]);
  expect(found.kind === 'command' ? [found.command.name, found.parsed.words, undefined] : found.kind).toEqual(
    expected,
  );
});

test.for([
  ['pegboard doctor', ['doctor', [], undefined]],
  ['npx pegboard models list', ['models list', [], undefined]],
  ['pegboard help call', ['help', ['call'], undefined]],
  ['pegboard doctors are nice', 'request'],
  ['pegboard', 'request'],
] as const)('%s is read as in a shell', ([line, expected]) => {
  expect(read(line)).toEqual(expected);
});

test('in a chat, the program and a command are that command, and prose about it is a message', () => {
  expect(readSlash('pegboard doctor', [], [])).toEqual({ kind: 'command', line: 'doctor' });
  expect(readSlash('npx pegboard models list', [], [])).toEqual({ kind: 'command', line: 'models list' });
  expect(readSlash('pegboard models are great', [], [])).toBeUndefined();
});

test('a command that takes no text is split as in a shell', () => {
  expect(read('/call write \'path=a b\' text="c d"')).toEqual([
    'call',
    ['write', 'path=a b', 'text=c d'],
    undefined,
  ]);
  expect(() => read("/call write text='a")).toThrow('A quote is not closed.');
  expect(read("what's new")).toBe('request');
});

test.each(['"', '" ', "'a ", '--a="'])('many of %s are split in time by their number', async (part) => {
  await expectLinear((count) => splitText(part.repeat(count)), 2_000);
});
