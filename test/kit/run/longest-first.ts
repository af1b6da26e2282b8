import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import figures from './figures.json' with { type: 'json' };

const seconds: Readonly<Record<string, number>> = figures.seconds;

/** Files that took long in the last run of all tests come first: begun at the end, they would leave other workers idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      seconds[relative(this.ctx.config.root, moduleId)] ?? 0;
    return (await super.sort(files)).sort((one, other) => secondsOf(other) - secondsOf(one));
  }
}
