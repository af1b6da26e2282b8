import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { tierOf, type Tier } from './tiers.ts';

const root = join(import.meta.dirname, '../../..');
const path = join(import.meta.dirname, 'figures.json');
const shortest = 3;

interface Figures {
  /** Tests in the files of each tier. */
  readonly tests: Readonly<Record<'usual' | 'all', number>>;
  /** Of files that took 3 seconds or more. */
  readonly seconds: Readonly<Record<string, number>>;
}

/**
 * After a whole run of test:all: the number of tests may not be lower than the one that is committed, and figures.json
 * gets the new ones. Whoever removes a test on purpose lowers the number there by hand.
 */
export default class KeepFigures implements Reporter {
  #vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const nameOf = ({ moduleId }: TestModule): string => relative(root, moduleId);
    const ran = new Set(modules.map(nameOf));
    const wanted = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => tierOf(file) !== 'soak');
    if (this.#vitest.config.testNamePattern !== undefined || !wanted.every((file) => ran.has(file))) return;

    const before = JSON.parse(readFileSync(path, 'utf8')) as Figures;
    const once = modules.filter(({ project }) => project.name !== 'postgres');
    const testsOf = (tier: Tier): number =>
      once
        .filter((module) => tierOf(nameOf(module)) === tier)
        .reduce((sum, { children }) => sum + children.allTests().toArray().length, 0);
    const tests = { usual: testsOf('usual'), all: testsOf('all') };
    for (const tier of ['usual', 'all'] as const) {
      if (tests[tier] >= before.tests[tier]) continue;
      console.error(`${before.tests[tier] - tests[tier]} tests of the tier "${tier}" are gone: see ${path}`);
      process.exitCode = 1;
    }
    const took = once.map(
      (module) => [nameOf(module), Math.round(module.diagnostic().duration / 1000)] as const,
    );
    const figures: Figures = {
      tests: { usual: Math.max(tests.usual, before.tests.usual), all: Math.max(tests.all, before.tests.all) },
      seconds: Object.fromEntries(
        took
          .filter(([, time]) => time >= shortest)
          .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)),
      ),
    };
    writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
  }
}
