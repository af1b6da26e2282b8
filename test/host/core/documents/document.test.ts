import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../../../host/core/documents/check-document.ts';
import { readDocument } from '../../../../host/core/documents/document.ts';
import { pegboardSchema, mcpSchema } from '../../../../host/core/documents/file-schemas.ts';

const yaml = (text: string) => readDocument(text, { path: '/h/a.yaml', format: 'yaml' });
const json = (text: string) => readDocument(text, { path: '/h/a.json', format: 'json' });
const brief = (document: ReturnType<typeof yaml>) =>
  document.diagnostics.map(({ code, line, column }) => `${line}:${column} ${code}`);

describe('a YAML text', () => {
  test('is read as YAML 1.2: yes and no are text, and a date is too', () => {
    expect(yaml('a: yes\nb: no\nc: 2026-01-02\nd: ~\ne: 0o17\n').value).toEqual({
      a: 'yes',
      b: 'no',
      c: '2026-01-02',
      d: null,
      e: 15,
    });
  });

  test.each([
    ['an anchor', 'a: &x 1\n', '1:4 yaml-anchor'],
    ['an alias', 'a: 1\nb: *x\n', '2:4 yaml-alias'],
    ['an alias bomb', `a: &a [x]\n${'b: &b [*a, *a]\n'.repeat(3)}`, '1:4 yaml-anchor'],
    ['a tag', 'a: 1\nb: !!binary aGk=\n', '2:4 yaml-tag'],
    ['a number that would be another', 'a: 9007199254740991\nb: -9007199254740993\n', '2:4 yaml-number'],
    ['a number in a list', 'a: [1.0, 9007199254740992, 12345678901234567890]\n', '1:28 yaml-number'],
    ['a number that is too small', 'a: 1e-999\n', '1:4 yaml-number'],
    ['a merge key', 'b:\n  <<: { a: 1 }\n', '2:3 yaml-merge-key'],
    ['a directive', '%YAML 1.1\n---\na: 1\n', '1:1 yaml-directive'],
    ['a second document', '---\na: 1\n---\nb: 1\n', '3:1 second-document'],
    ['__proto__', 'a: 1\n"__proto__": { x: 1 }\n', '2:2 forbidden-key'],
    ['a key twice', 'a:\n  b: 1\n  c: 2\n  b: 3\n', '4:3 duplicate-key'],
    ['a tab for indentation', 'a:\n\tb: 1\n', '2:1 tab-indentation'],
    ['an unquoted mustache', 'a: 1\ncommand: {{x}} y\n', '2:10 unquoted-mustache'],
    ['a colon in a text', 'a: 1\nb: c: d\n', '2:5 yaml-syntax'],
    ['deep nesting', `a: ${'['.repeat(80)}${']'.repeat(80)}\n`, '1:67 too-deep'],
    ['an escape that can not be seen', 'a: 1\nb: "x\\u202Ey"\n', '2:6 hidden-character'],
    ['an escape sequence for terminals', 'a: "\\e[31mred"\n', '1:5 ansi-escape'],
  ])('with %s is refused by name, at its place', (_what, text, expected) => {
    const document = yaml(text);
    expect(brief(document)).toEqual([expected]);
    expect(document.value).toBeUndefined();
  });

  test('without content is null, which a configuration may be', () => {
    const document = yaml('# only a comment\n');
    expect(document).toMatchObject({ value: null, diagnostics: [] });
    expect(checkDocument(document, pegboardSchema)).toEqual([]);
  });

  test('reports the first position of a duplicate key, and how to quote what YAML reads as a map', () => {
    expect(yaml('a: 1\nb: 2\na: 3\n').diagnostics[0]?.message).toBe(
      '"a" is there twice; the first is 2 lines above',
    );
    expect(yaml("command: {{x}} it's\n").diagnostics[0]?.hint).toBe(
      "put it in quotes: command: '{{x}} it''s'",
    );
    expect(yaml('a:b\nc: d\n').diagnostics[0]?.hint).toBe('put a space after the colon: a: b');
  });

  test('knows the positions of all its parts', () => {
    const document = yaml('a:\n  - b: 1.10\n    "c/d": |\n      one\n      two\ne:\n');
    expect(document.locate('/a/0/b')).toEqual({ line: 2, column: 8 });
    expect(document.locate('/a/0/b', 'key')).toEqual({ line: 2, column: 5 });
    expect(document.locate('/a/0/c~1d', 'key')).toEqual({ line: 3, column: 5 });
    expect(document.locate('/a/0/missing')).toEqual({ line: 2, column: 5 });
    expect(document.written('/a/0/b')).toBe('1.10');
  });

  test('finds a character of a text through quotes, escapes, folding and indentation', () => {
    const document = yaml(
      [
        'plain: a {{x}}',
        "single: 'it''s {{x}}'",
        'double: "\\u0041\\n{{x}}"',
        'literal: |',
        '  one',
        '    two {{x}}',
        'folded: >-',
        '  one',
        '  two',
        '',
        '  three {{x}}',
        'wrapped: one',
        '  two {{x}}',
      ].join('\n'),
    );
    const places = Object.entries(document.value as Record<string, string>).map(([key, text]) => {
      const { line, column } = document.locateInside(`/${key}`, text.indexOf('{{x}}'));
      return `${key} ${line}:${column}`;
    });
    expect(places).toEqual([
      'plain 1:10',
      'single 2:16',
      'double 3:18',
      'literal 6:9',
      'folded 11:9',
      'wrapped 13:7',
    ]);
  });
});

describe('a JSON text', () => {
  test('knows the positions of all its parts, whatever its indentation', () => {
    const document = json('{\n\t"a": [1, {"b": "\\ud83d\\ude00"}]\n}');
    expect(document.value).toEqual({ a: [1, { b: '😀' }] });
    expect(document.locate('/a/1/b')).toEqual({ line: 2, column: 17 });
    expect(document.locate('/a/1/b', 'key')).toEqual({ line: 2, column: 12 });
  });

  test.each([
    ['a comma too many', '{\n  "a": 1,\n}', '3:1 json-syntax', 'delete the comma before it'],
    ['a comma too few', '{\n  "a": 1\n  "b": 2\n}', '3:3 json-syntax', 'put a comma before it'],
    ['a comment', '{ // x\n}', '1:3 json-syntax', 'JSON has no comments'],
    ['single quotes', "{'a': 1}", '1:2 json-syntax', 'JSON takes double quotes'],
    ['a missing end', '{"a": [1', '1:9 json-syntax', undefined],
    ['nothing', ' \n', '1:1 json-syntax', 'write {} for nothing'],
    ['a key twice', '{"a": 1,\n "a": 2}', '2:2 duplicate-key', 'keep one of them'],
    ['__proto__', '{"__proto__": {}}', '1:3 forbidden-key', undefined],
    [
      'a number that would be another',
      '{"a": 9007199254740993}',
      '1:7 yaml-number',
      'write a number, or put it in quotes if it is a text',
    ],
  ])('with %s is refused at its place', (_what, text, expected, hint) => {
    const document = json(text);
    expect(brief(document)).toEqual([expected]);
    expect(document.diagnostics[0]?.hint).toBe(hint);
  });
});

describe('a document against its schema', () => {
  test('that fits has no diagnostics, and needs no validator to know it', () => {
    const document = yaml('name: home\nmcpServers:\n  a: { command: x, args: [y], confirm: ["z*"] }\n');
    expect(checkDocument(document, pegboardSchema)).toEqual([]);
  });

  test('has each problem at its place, in the order of the file, with the nearest key', async () => {
    const document = yaml(
      'mcpServers:\n  a:\n    comand: x\n    timeout: soon\nconfirm: sometimes\noutput: 5\n',
    );
    const found = await checkDocument(document, pegboardSchema);
    expect(found.map(({ line, column, code, hint, pointer }) => [line, column, code, hint, pointer])).toEqual(
      [
        [3, 5, 'unknown-key', 'comand → command?', '/mcpServers/a/comand'],
        [4, 14, 'wrong-type', undefined, '/mcpServers/a/timeout'],
        [5, 10, 'not-allowed', undefined, '/confirm'],
        [6, 9, 'wrong-type', undefined, '/output'],
      ],
    );
  });

  test('of other clients may have keys that we do not know', async () => {
    const document = json('{"mcpServers": {"a": {"command": "x", "autoApprove": []}}, "inputs": []}');
    const found = await checkDocument(document, mcpSchema);
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning unknown-key',
      'warning unknown-key',
    ]);
  });
});

test.for([
  ['{"a": 1,\n "b": 1e999}', '2:7 yaml-number'],
  ['{"b": -1e999}', '1:7 yaml-number'],
  ['{"b": 9007199254740993}', '1:7 yaml-number'],
] as const)('the JSON %s has a number that would become another', ([text, problem]) => {
  const document = json(text);
  expect(brief(document)).toEqual([problem]);
  expect(document.value).toBeUndefined();
});
