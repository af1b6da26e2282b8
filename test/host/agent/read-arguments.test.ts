import { expect, test } from 'vitest';
import { readArguments } from '../../../host/agent/read-arguments.ts';

test.for([
  ['{"a":1}', { a: 1 }],
  ['', {}],
  ['  ', {}],
  ['null', {}],
  ['"{\\"a\\":1}"', { a: 1 }],
] as const)('%j is read as %j', ([text, expected]) => {
  expect(readArguments(text)).toEqual(expected);
});

test.for([
  ['{"only":"tmp","only":"all"}', '"only" is given twice'],
  ['{"a":[{"b":1,"\\u0062":2}]}', '"b" is given twice'],
  ['"{\\"a\\":1,\\"a\\":2}"', '"a" is given twice'],
] as const)('%s is refused: %s', ([text, why]) => {
  expect(() => readArguments(text)).toThrow(why);
});

test.for(['{"a":{"b":1},"b":[{"b":1},{"b":2}]}', '{"a":"{\\"b\\":1,\\"b\\":2}"}', '{"n":-1.5e3}'])(
  '%s is taken as it is',
  (text) => {
    expect(readArguments(text)).toEqual(JSON.parse(text));
  },
);

test.for(['{"a":', '[1]', '7', '"text"', '{a: 1}'])(
  '%j is refused in words that say what to send',
  (text) => {
    expect(() => readArguments(text)).toThrow(
      /^The arguments are not a JSON object: .+ as one complete JSON object\.$/s,
    );
  },
);
