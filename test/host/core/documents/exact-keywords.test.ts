import { describe, expect, test } from 'vitest';
import { compareDecimals, isMultiple, toDecimal } from '../../../../host/core/documents/decimal.ts';
import { fitsFlatSchema } from '../../../../host/core/documents/flat-schema.ts';
import { validatorOf } from '../../../../host/core/documents/schema.ts';
import { parseJson } from '../../../../host/core/documents/written-numbers.ts';
import { homeWithAnswers, serveRaw } from '../../../kit/mcp/verbatim.ts';

/** A rule for the property `n`, a value, and its error; none when it is valid. */
const cases: readonly (readonly [rule: string, value: string, problem?: string])[] = [
  ['"maximum":9007199254740992', '9007199254740993', 'must be at most 9007199254740992'],
  ['"maximum":9007199254740992', '9007199254740992'],
  ['"maximum":9007199254740993', '9007199254740993'],
  ['"maximum":9007199254740993', '9007199254740994', 'must be at most 9007199254740993'],
  ['"maximum":0.3', '0.30000000000000000001', 'must be at most 0.3'],
  ['"minimum":9007199254740993', '9007199254740992', 'must be at least 9007199254740993'],
  ['"minimum":-9007199254740992', '-9007199254740993', 'must be at least -9007199254740992'],
  ['"exclusiveMaximum":9007199254740993', '9007199254740992'],
  ['"exclusiveMaximum":1e400', '1e399'],
  ['"exclusiveMinimum":0', '1e-400'],
  ['"exclusiveMinimum":9007199254740992', '9007199254740993'],
  ['"multipleOf":2', '9007199254740993', 'must be a multiple of 2'],
  ['"multipleOf":3', '9007199254740993'],
  ['"multipleOf":0.01', '19.99'],
  ['"multipleOf":0.01', '19.995', 'must be a multiple of 0.01'],
  ['"const":9007199254740992', '9007199254740993', 'must be 9007199254740992'],
  ['"const":{"a":[9007199254740993]}', '{"a":[9007199254740993]}'],
  ['"const":{"a":[9007199254740993]}', '{"a":[9007199254740992]}', 'must be {"a":[9007199254740993]}'],
  ['"const":1', '1.0'],
  ['"enum":[9007199254740993,"x"]', '9007199254740992', 'must be one of 9007199254740993, "x"'],
  ['"enum":[9007199254740993,"x"]', '9007199254740993'],
  ['"enum":[{"b":1,"a":2}]', '{"a":2.0,"b":1}'],
  ['"uniqueItems":true', '[9007199254740992,9007199254740993]'],
  ['"uniqueItems":true', '[1,1.0]', 'must not have the same entry twice'],
  ['"type":"integer"', '0.99999999999999999999', 'must be of type integer'],
  ['"type":["integer","null"]', '-4503599627370497.00000001', 'must be of type integer or null'],
  ['"allOf":[{"type":"integer"}]', '1e-400', 'must be of type integer'],
  ['"type":["integer","number"]', '0.99999999999999999999'],
  ['"type":"integer"', '1.0'],
  ['"type":"integer"', '-0.0'],
  ['"type":"integer"', '1e3'],
  ['"type":"integer"', '12.500e1'],
  ['"type":"integer"', '9007199254740993'],
];

describe('a schema compares numbers as they are written', () => {
  test.for(cases)('%s of %s', async ([rule, value, problem]) => {
    const schema = parseJson(`{"type":"object","properties":{"n":{${rule}}}}`) as never;
    const typed = parseJson(`{"type":"object","properties":{"n":{"type":"number",${rule}}}}`) as never;
    const given = parseJson(`{"n":${value}}`) as object;
    const problems = (await validatorOf(schema, 'left'))(given);
    expect(problems.map(({ message }) => message)).toEqual(problem === undefined ? [] : [`"n" ${problem}`]);
    if (problem !== undefined) expect(fitsFlatSchema(given, typed, 'left')).toBe(false);
  });

  test('of any size, at no great cost', () => {
    const [small, large] = [toDecimal('1e-1000000000'), toDecimal('1e1000000000')];
    expect(compareDecimals(small, large)).toBeLessThan(0);
    expect(isMultiple(large, toDecimal('7'))).toBe(false);
    expect(isMultiple(large, small)).toBe(true);
    expect(isMultiple(small, large)).toBe(false);
  });
});

test('a server is not sent a number beyond its bounds, nor a fraction as an integer', async () => {
  const inputSchema = `{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740992}}}`;
  await using home = await homeWithAnswers({
    'tools/list': `{"tools":[{"name":"any","description":"any","inputSchema":${inputSchema}}]}`,
  });
  await using client = await serveRaw(home);
  const call = (n: string) => client.ask('tools/call', `{"name":"up__any","arguments":{"n":${n}}}`);
  expect(await call('9007199254740993')).toContain('must be at most 9007199254740992');
  expect(await call('0.99999999999999999999')).toContain('must be of type integer');
  expect(await call('9007199254740992')).toContain('"arguments\\":{\\"n\\":9007199254740992}');
});
