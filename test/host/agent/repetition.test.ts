import { expect, test } from 'vitest';
import { createRepetitionGuard } from '../../../host/agent/repetition.ts';

/** The number of the call at which the guard stops, from 1; 0: none. */
function stopsAt(...calls: string[]): number {
  const guard = createRepetitionGuard();
  return (
    calls.findIndex((call) => {
      const [name = '', args = '{}'] = call.split(' ');
      return guard.isRepeated({ id: 'x', name, arguments: args });
    }) + 1
  );
}

test.for([
  ['identical calls', ['a', 'a', 'a', 'a', 'a'], 5],
  ['two calls in turns', ['a', 'b', 'a', 'b', 'a'], 5],
  ['identical calls after others', ['x', 'y', 'a', 'a', 'a', 'a', 'a'], 7],
  [
    'blanks in arguments make no difference',
    ['a {"x":1}', 'a {"x":\t1}', 'a {"x":1\n}', 'a {"x":1}', 'a {\t"x":1}'],
    5,
  ],
  ['broken arguments', ['a {"x', 'a {"x', 'a {"x', 'a {"x', 'a {"x'], 5],
  ['four identical calls', ['a', 'a', 'a', 'a', 'b', 'a', 'a'], 0],
  ['other arguments each time', ['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6'], 0],
  ['the same test after each of several edits', ['t', 'e 1', 't', 'e 2', 't', 'e 3', 't'], 0],
] as const)('%s', ([, calls, expected]) => {
  expect(stopsAt(...calls)).toBe(expected);
});
