import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const files = globSync('{host,plugins,spaces,bench,tools,test/kit}/**/*.ts', {
  cwd: root,
  exclude: ['host/api/**'],
});
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Static imports of a file, including types, without those by `import()`. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)'/gm)].map((match) =>
    relative(root, join(root, dirname(file), match[1]!)),
  );
}

/** A path of imports from the file back to itself, if there is one. */
function circleThrough(start: string): readonly string[] | undefined {
  const before = new Map<string, string>();
  const waiting = [start];
  for (const file of waiting) {
    for (const target of imports.get(file) ?? []) {
      if (target === start) return wayTo(file, before);
      if (before.has(target)) continue;
      before.set(target, file);
      waiting.push(target);
    }
  }
  return undefined;
}

function wayTo(file: string, before: ReadonlyMap<string, string>): readonly string[] {
  const previous = before.get(file);
  return previous === undefined ? [file] : [...wayTo(previous, before), file];
}

test('no files import each other in a circle, not even types, outside of the interfaces in host/api', () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.map(circleThrough).filter((circle) => circle !== undefined)).toEqual([]);
});
