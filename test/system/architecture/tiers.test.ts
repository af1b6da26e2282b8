import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectsOf } from '../../kit/run/projects.ts';
import { tierOf, tiers, type Tier } from '../../kit/run/tiers.ts';

const root = join(import.meta.dirname, '../../..');
const files = globSync('test/**/*.test.*', { cwd: root });

/** The files that a run of the tier executes, and in how many projects each is, without its second run on Postgres. */
function filesOf(tier: Tier): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { name, include, exclude } of projectsOf(tier)) {
    if (name === 'postgres') continue;
    for (const file of globSync(include, { cwd: root, exclude })) times.set(file, (times.get(file) ?? 0) + 1);
  }
  return times;
}

test('the name of every test file says its tier', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => tierOf(file) === undefined)).toEqual([]);
});

test.each(tiers)('a run of the tier "%s" has each file of it and of the tiers before, once', (tier) => {
  const wanted = files.filter((file) => tiers.indexOf(tierOf(file)!) <= tiers.indexOf(tier));
  const found = filesOf(tier);
  expect([...found.keys()].toSorted()).toEqual(wanted.toSorted());
  expect([...found].filter(([, times]) => times !== 1)).toEqual([]);
});

test('what a tier is called in package.json runs that tier', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['test']).toMatch(/^vitest run$/);
  expect(scripts['test:all']).toMatch(/^PEGBOARD_TESTS=all vitest run /);
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^npm run test:all /m);
});

test('what runs before or after a file is asked for by that file', () => {
  // A worker loads a module once, for all its files: only the first would have its hooks.
  const shared = globSync('test/**/*.ts', {
    cwd: root,
    exclude: [...files, 'test/kit/structures/every-call.ts'],
  });
  const hooks = /^(before|after)(All|Each)\(/m;
  expect(shared.length).toBeGreaterThan(100);
  expect(shared.filter((file) => hooks.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
