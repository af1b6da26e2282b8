import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more: at the end, everything else would be over, and one worker idle. */
const long = [
  'test/docs/commands.test.ts',
  'test/kills/',
  'test/spaces/pinned.test.ts',
  'test/agent/provenance/obedience.test.ts',
  'test/plugins/builtin-self/deploy.test.ts',
  'test/plugins/builtin-telegram/kill.test.ts',
  'test/plugins/builtin-core/schedule/kill.test.ts',
  'test/secrets/canaries.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => long.some((name) => moduleId.includes(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
