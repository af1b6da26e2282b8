import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const linesOf = (pattern: string): number =>
  globSync(pattern, { cwd: root }).reduce(
    (sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1,
    0,
  );
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const namesIn = (entry: string): number => [...entry.matchAll(/[{,]\s*(?:type )?\w+/g)].length;

/**
 * The kernel is to become small. Lower a budget with each step that makes it smaller; a commit that raises one says why.
 */
const budgets: readonly (readonly [what: string, size: number, atMost: number])[] = [
  ['lines in host/', linesOf('host/**/*.{ts,tsx,css}'), 95_800],
  ...(
    [
      ['browser', 28],
      ['home', 106],
      ['kit', 204],
      ['serving', 68],
      ['terminal', 34],
    ] as const
  ).map(
    ([entry, atMost]) =>
      [`names in pegboard/${entry}`, namesIn(read(`host/exports/${entry}.ts`)), atMost] as const,
  ),
  [
    'members of PluginContext',
    [
      ...read('host/api/plugin.ts')
        .split('export interface PluginContext')[1]!
        .split('\n}\n')[0]!
        .matchAll(/^ {2}(?:readonly )?\w+[(<:?]/gm),
    ].length,
    36,
  ],
];

test.each(budgets)('there are no more %s than planned', (what, size, atMost) => {
  expect(size, `more ${what}: put a feature into a plugin, and share less with it`).toBeLessThanOrEqual(
    atMost,
  );
  expect(size, `fewer ${what}: lower the budget in ${import.meta.filename}`).toBeGreaterThan(atMost * 0.97);
});
