import { parse } from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, test } from 'vitest';
import { editJson } from '../../../../plugins/builtin-mcp-server/connect/edit-json.ts';
import { editToml } from '../../../../plugins/builtin-mcp-server/connect/edit-toml.ts';

const entry = { command: 'node', args: ['a', 'b c'], env: { X: '1' } };

describe('an entry in JSON with comments', () => {
  const texts = [
    '',
    '{}',
    '{\n}\n',
    '{"m": {}}',
    '{"m":{"a":{"b":1}}}',
    '{\n  "m": {\n    "a": { "b": [1, 2] }, // why\n  },\n  // the end\n}\n',
    '{\r\n\t"m": {\r\n\t\t"a": 1 /* , */ // "m"\r\n\t}\r\n}',
    '// "m": {}\n{ /* nothing */ }\n',
    '{ "x": { "m": 1 }, "m": { // first\n "z": "}" }, "y": "// no comment" }',
    '\uFEFF{\n    "y": 1,\n    "m": { "pegboard": { "old": true }, "b": 2 }\n}\n',
    '{"m": {"pegboard": 1}}',
    '{"m": {"a": 1, "pegboard": 1, }}',
  ];
  test.for(texts)('is set and taken out in %j', (text) => {
    const options = { allowTrailingComma: true };
    const before = parse(text.replace('\uFEFF', '') || '{}', [], options);
    const set = editJson(text, ['m', 'pegboard'], entry);
    const errors: any[] = [];
    const after = parse(set.replace('\uFEFF', ''), errors, options);
    expect({ after, errors, set }).toEqual({
      after: { ...before, m: { ...before.m, pegboard: entry } },
      errors: [],
      set,
    });
    expect(set.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    expect(editJson(set, ['m', 'pegboard'], entry)).toBe(set);
    for (const comment of text.match(/\/\/ \w[^\n\r]*|\/\*.*?\*\//g) ?? []) expect(set).toContain(comment);
    const out = editJson(set, ['m', 'pegboard'], undefined);
    const { pegboard: _, ...others } = after.m;
    expect(parse(out.replace('\uFEFF', ''), errors, options)).toEqual({ ...before, m: others });
    expect(errors).toEqual([]);
    for (const comment of text.match(/\/\/ \w[^\n\r]*|\/\*.*?\*\//g) ?? []) expect(out).toContain(comment);
    if (text.includes('"a"') && !text.includes('pegboard') && text.includes('\n')) expect(out).toBe(text);
  });
});

describe('an entry in TOML', () => {
  const texts = [
    '',
    '# only a comment',
    'a = 1\n',
    'a = 1\r\n\r\n[m.other]\r\ncommand = "x" # y\r\n',
    '[m.pegboard]\nold = true\n\n[m.pegboard.env]\nA = "b"\n\n# next\n[z]\nq = 2024-01-01\n',
    '[m]\npegboard.old = 1 # mine\nx.y = 2\n',
    'm.pegboard = { old = true }\nb = """\n[m.pegboard]\n"""\n',
    '[[list]]\nn = 1\n[[list]]\nn = 2\n[m."a.b"]\nc = \'d\'\n',
  ];
  test.for(texts)('is set and taken out in %j', (text) => {
    const read = (toml: string): any => getStaticTOMLValue(parseTOML(toml));
    const before = read(text);
    const set = editToml(text, ['m', 'pegboard'], entry);
    expect(read(set)).toEqual({ ...before, m: { ...before.m, pegboard: entry } });
    expect(editToml(set, ['m', 'pegboard'], entry)).toBe(set);
    for (const comment of text.match(/# \w[^\r\n]*/g) ?? [])
      if (comment !== '# mine') expect(set).toContain(comment);
    const out = editToml(set, ['m', 'pegboard'], undefined);
    expect(read(out).m?.pegboard).toBeUndefined();
    if (!text.includes('pegboard') && text.endsWith('\n')) expect(out).toBe(text);
  });
});
