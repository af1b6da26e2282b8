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

test('members that every object in JavaScript has are members like others', () => {
  for (const key of ['constructor', 'toString', '__proto__']) {
    const after = JSON.parse(`{"${key}": 1}`) as unknown;
    expect(describeChange({}, after)).toEqual([`${key}: nothing → 1`]);
    expect(describeChange(after, {})).toEqual([`${key}: 1 → nothing`]);
  }
});
