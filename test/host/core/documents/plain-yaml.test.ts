import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CORE_SCHEMA, constructFromEvents, parseEvents } from 'js-yaml';
import { expect, test } from 'vitest';
import { readPlainYaml } from '../../../../host/core/documents/plain-yaml/read.ts';
import { findForbidden } from '../../../../host/core/documents/yaml-features.ts';
import { createRandom, effort } from '../../../kit/data/fuzz.ts';
import { yamlCase } from './fuzz/yaml-cases.ts';

/** What js-yaml reads, as documents are read without the short way; undefined for what is refused. */
function throughJsYaml(text: string): unknown {
  try {
    const events = parseEvents(text, { maxDepth: 64 });
    if (findForbidden(events, text, 'yaml')) return undefined;
    return constructFromEvents(events, { source: text, schema: CORE_SCHEMA, maxAliases: 0 })[0];
  } catch {
    return undefined;
  }
}

test('of 30,000 texts, right and wrong, whatever is read the short way is read the same by js-yaml', () => {
  const random = createRandom(4_004);
  let taken = 0;
  for (let count = 0; count < 30_000 * effort; count++) {
    const text = yamlCase(random);
    const short = readPlainYaml(text);
    if (short === undefined) continue;
    taken++;
    const long = throughJsYaml(text);
    const where = `FUZZ_SEED=${random.seed}\n${JSON.stringify(text)}`;
    // The order of keys counts too: it is what models see, and what is hashed.
    expect(isDeepStrictEqual(short, long) && JSON.stringify(short) === JSON.stringify(long), where).toBe(
      true,
    );
  }
  expect(taken).toBeGreaterThan(4_000);
});

test.each([
  ['text of several words', 'a: Shows the log, of one service\n', { a: 'Shows the log, of one service' }],
  ['lists of both kinds', 'a: [x, y]\nb:\n  - x\n  - 2\nc:\n- z\n', { a: ['x', 'y'], b: ['x', 2], c: ['z'] }],
  [
    'parameters',
    'p:\n  - name: a\n    type: b\n  - { name: c }\n',
    { p: [{ name: 'a', type: 'b' }, { name: 'c' }] },
  ],
  ['a script', 'command: |\n  for x; do\n    echo\n\n  done\n', { command: 'for x; do\n  echo\n\ndone\n' }],
  ['a folded text', 'a: >-\n  one\n  two\nb: 1\n', { a: 'one two', b: 1 }],
  ['keys of several words', 'a b-c d:\n  e f: { g h: 1 }\n', { 'a b-c d': { 'e f': { 'g h': 1 } } }],
  ['comments', '# c\na: 1 # c\n\n  # c\nb: "x" # c\n', { a: 1, b: 'x' }],
  ['Windows line ends', 'a: 1\r\nb:\r\n  - x\r\n', { a: 1, b: ['x'] }],
  ['emoji', 'icon: 🔧\n', { icon: '🔧' }],
])('%s: read the short way', (_what, text, value) => {
  expect(readPlainYaml(text)).toEqual(value);
  expect(throughJsYaml(text)).toEqual(value);
});

test('the plugin.yaml of every plugin that ships with Pegboard is read the short way', () => {
  const root = join(import.meta.dirname, '../../../..');
  const files = globSync('plugins/*/plugin.yaml', { cwd: root });
  expect(files).not.toHaveLength(0);
  expect(files.filter((file) => !readPlainYaml(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
