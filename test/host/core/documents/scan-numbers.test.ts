import { expect, test } from 'vitest';
import { scanNumbers } from '../../../../host/core/documents/scan-numbers.ts';
import { parseJson, toJson } from '../../../../host/core/documents/written-numbers.ts';

function numbersIn(text: string): readonly string[] {
  const found: string[] = [];
  const root: unknown = JSON.parse(text);
  scanNumbers(text, root, (holder, key, source) => {
    expect((holder as Record<string, unknown>)[key]).toBe(Number(source));
    found.push(`${key}=${source}`);
  });
  return found;
}

test('each number is reported with its holder, its key and its source', () => {
  const text = String.raw`{ "a" : [1.0, -2, {"b\"c\\": 3e2 , "": 0}, [], [4.50]] , "true": true, "n": null, "1.5": "2.5, 3", "é\u0041": 5 }`;
  expect(numbersIn(text)).toEqual(['0=1.0', '1=-2', 'b"c\\=3e2', '=0', '0=4.50', 'éA=5']);
});

test('a number alone has no holder, and text none in it', () => {
  expect(numbersIn('1.0')).toEqual([]);
  expect(numbersIn('["1.0", "\\\\", "\\"2"]')).toEqual([]);
});

test('members of any name are members', () => {
  expect(numbersIn('{"__proto__": {"constructor": 1.0}}')).toEqual(['constructor=1.0']);
});

test('numbers keep how they are written however deep they stand', () => {
  const text = `${'{"a":['.repeat(20_000)}1.0,12345678901234567890${']}'.repeat(20_000)}`;
  let value: any = parseJson(text);
  while (typeof value === 'object' && !Array.isArray(value))
    [value] = [value.a.length === 1 ? value.a[0] : value.a];
  expect(toJson(value)).toBe('[1.0,12345678901234567890]');
});
