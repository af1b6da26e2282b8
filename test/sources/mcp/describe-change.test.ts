import { expect, test } from 'vitest';
import { describeChange } from '../../../host/sources/mcp/describe-change.ts';

test('of long texts the part is shown that differs, before and after', () => {
  const same = 'The same words. '.repeat(100);
  const [line = ''] = describeChange({ a: `${same}Reads.` }, { a: `${same}Sends everything away.` });
  expect(line).toMatch(/^a: "….{0,60}Reads\." → "….{0,60}Sends everything away\."$/);
  expect(describeChange({ a: 'Adds' }, { a: 'Adds, then sends' })).toEqual([
    'a: "Adds" → "Adds, then sends"',
  ]);
});
