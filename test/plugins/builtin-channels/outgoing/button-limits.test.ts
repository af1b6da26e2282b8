import { expect, test } from 'vitest';
import { withinLimits } from '../../../../plugins/builtin-channels/outgoing/button-limits.ts';

const buttons = (...labels: readonly string[]) => labels.map((label) => ({ label, data: label }));
const labelsOf = (labels: readonly string[], limits: object, link?: string) => {
  const options = { buttons: buttons(...labels), ...(link !== undefined && { link }) };
  const shown = withinLimits(options, { buttonLimits: { label: 10, ...limits } });
  return shown.buttons?.map(({ label }) => label);
};

test('of more buttons than fit, the last one stays, which declines', () => {
  expect(labelsOf(['a', 'b', 'c', 'No'], { count: 3 })).toEqual(['a', 'b', 'No']);
  expect(labelsOf(['a', 'b', 'c', 'No'], { count: 4 })).toEqual(['a', 'b', 'c', 'No']);
  expect(labelsOf(['a', 'b', 'c', 'No'], { count: 4 }, 'https://a.example')).toEqual(['a', 'b', 'No']);
  expect(labelsOf(['a', 'b', 'c', 'No'], {})).toHaveLength(4);
});

test('a label is shortened, without half of a character, and never empty', () => {
  expect(labelsOf(['0123456789', '0123456789a', '01234567🎉🎉', ' '], {})).toEqual([
    '0123456789',
    '012345678…',
    '01234567\u{FFFD}…',
    '…',
  ]);
});

test('without limits, buttons stay as they are', () => {
  const options = { buttons: buttons('x'.repeat(200), '') };
  expect(withinLimits(options, {})).toBe(options);
});
