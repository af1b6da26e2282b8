import { expect, test } from 'vitest';
import { readArguments } from '../../host/agent/read-arguments.ts';

test.for([
  ['{"a":1}', { a: 1 }],
  ['', {}],
  ['  ', {}],
  ['null', {}],
  ['"{\\"a\\":1}"', { a: 1 }],
] as const)('%j is read as %j', ([text, expected]) => {
  expect(readArguments(text)).toEqual(expected);
});

test.for(['{"a":', '[1]', '7', '"text"', '{a: 1}'])(
  '%j is refused in words that say what to send',
  (text) => {
    expect(() => readArguments(text)).toThrow(
      /^The arguments are no JSON object: .+ as one complete JSON object\.$/s,
    );
  },
);
