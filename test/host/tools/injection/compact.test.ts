import { expect, test } from 'vitest';
import { oneLine } from '../../../../host/tools/injection/compact.ts';

test.for([
  ['Reads a file', 'Reads a file'],
  ['  Reads a file.\nThen says more.', 'Reads a file.'],
  ['Reads\ta   file', 'Reads a file'],
  ['', ''],
  [`Short one. ${'And then much more about it. '.repeat(5)}`, 'Short one.'],
  [
    'Finds files whose path matches a pattern such as this one, and then some more words follow it',
    'Finds files whose path matches a pattern such as this one, and then some more…',
  ],
  ['x'.repeat(200), `${'x'.repeat(79)}…`],
] as const)('of %j the line is %j', ([text, line]) => {
  expect(oneLine(text)).toBe(line);
});
