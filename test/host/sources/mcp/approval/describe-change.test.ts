import { expect, test } from 'vitest';
import { parseJson } from '../../../../../host/core/documents/written-numbers.ts';
import { canonicalJson } from '../../../../../host/tools/fingerprint.ts';
import { describeChange } from '../../../../../host/sources/mcp/approval/describe-change.ts';

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

test('a number that differs in the last of many digits is another one', () => {
  const [before, after] = ['9007199254740992', '9007199254740993'].map((n) =>
    parseJson(`{"n":{"maximum":${n}}}`),
  );
  expect(describeChange(before, after)).toEqual(['n.maximum: 9007199254740992 → 9007199254740993']);
  expect(canonicalJson(before)).not.toBe(canonicalJson(after));
  expect(canonicalJson(parseJson('{"n":[1.0,10e1]}'))).toBe('{"n":[1,100]}');
});
