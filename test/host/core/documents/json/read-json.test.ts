import { expect, test } from 'vitest';
import { parseInSlices } from '../../../../../host/core/documents/json/parse-in-slices.ts';
import { readJson } from '../../../../../host/core/documents/json/read-json.ts';
import { parseJson, toJson, writtenNumber } from '../../../../../host/core/documents/written-numbers.ts';
import { expectLinear } from '../../../../kit/growth.ts';

function numbersIn(text: string): readonly string[] {
  const found: string[] = [];
  const reading = readJson(text, (holder, key, source) => {
    expect((holder as Record<string, unknown>)[key]).toBe(Number(source));
    found.push(`${key}=${source}`);
  });
  expect(reading.next().value).toEqual(JSON.parse(text));
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
  expect(Object.keys(parseJson('{"__proto__": 1.0, "a": 1}') as object)).toEqual(['__proto__', 'a']);
});

test('of members with the same name the last one counts', () => {
  for (const text of ['{"a":1.0,"a":1}', '{"a":{"b":1.0},"a":{"b":1}}', '{"a":1.0,"a":"1"}'])
    expect(toJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
  expect(toJson(parseJson('{"a":1,"a":1.0}'))).toBe('{"a":1.0}');
  expect(toJson(parseJson('{"a":{"b":1.0},"a":2}'))).toBe('{"a":2}');
});

test('numbers keep how they are written however deep they stand', () => {
  const text = `${'{"a":['.repeat(20_000)}1.0,12345678901234567890${']}'.repeat(20_000)}`;
  let value: any = parseJson(text);
  while (typeof value === 'object' && !Array.isArray(value))
    [value] = [value.a.length === 1 ? value.a[0] : value.a];
  expect(toJson(value)).toBe('[1.0,12345678901234567890]');
});

/** Valid texts, and each with a character removed, doubled or replaced. */
function* texts(): Generator<string> {
  const valid = [
    '[1.0,-0,2e5,{"a":[],"b":{},"c":"d\\u0041\\n"},true,false,null]',
    ' { "a" : [ 1 , 2.50 ] , "b" : "\\\\" } ',
    '"text"',
    '-1.5E+3',
    'null',
    '[[[]],{"":{"x":[0.10]}}]',
  ];
  for (const text of valid) {
    yield text;
    for (let at = 0; at <= text.length; at++) {
      yield text.slice(0, at);
      yield text.slice(0, at) + text.slice(at + 1);
      for (const character of '0.eE+-,:[]{}"\\ \n\u00a0\u0000atx')
        yield text.slice(0, at) + character + text.slice(at + 1);
    }
  }
}

test('it reads what JSON.parse reads, and refuses what that refuses', () => {
  const outcome = (read: () => unknown): unknown => {
    try {
      return { value: read() };
    } catch (cause) {
      return (cause as Error).name;
    }
  };
  for (const text of texts())
    expect(
      outcome(() => readInSteps(text)),
      JSON.stringify(text),
    ).toEqual(outcome(() => JSON.parse(text) as unknown));
});

/** By a few characters at a time. */
function readInSteps(text: string): unknown {
  const reading = readJson(text, () => {}, { stride: 3 });
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

test('a long text is read in slices, with the turns of others in between', async () => {
  const text = `[${'1.0,'.repeat(500_000)}1]`;
  let turns = 0;
  let done = false;
  const count = (): void => {
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  const value = (await parseInSlices(text)) as number[];
  done = true;
  expect(value).toHaveLength(500_001);
  expect(writtenNumber(value, '499999')).toBe('1.0');
  expect(turns).toBeGreaterThan(text.length / (256 * 1024));
});

test('the time grows with the text, whatever is in it', async () => {
  const kinds: readonly ((size: number) => string)[] = [
    (size) => `[${'1.0,'.repeat(size)}1]`,
    (size) => `${'['.repeat(size)}1.0${']'.repeat(size)}`,
    (size) => `[1.0,"${'\\"'.repeat(size)}"]`,
    (size) => `[1.0,${' '.repeat(size)}1]`,
    (size) => `[1.${'5'.repeat(size)}]`,
    (size) => `{${Array.from({ length: size / 4 }, (_, at) => `"${at}":1e0`).join(',')}}`,
  ];
  for (const kind of kinds) await expectLinear((size) => void parseJson(kind(size)), 40_000, kind(4));
});
