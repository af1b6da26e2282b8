import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a quarter of a minute and more: at the end, everything else would be over, and the other workers idle. */
const long = [
  'test/docs/commands.test.ts',
  'test/plugins/builtin-self/deploy.test.ts',
  'test/spaces/pinned.test.ts',
  'test/faces/mcp-server/tasks.test.ts',
  'test/conformance/server.test.ts',
  'test/agent/provenance/obedience.test.ts',
  'test/boundaries/writes.test.ts',
  'test/secrets/canaries.test.ts',
  'test/cli/registry.test.ts',
  'test/cli/approvals.test.ts',
  'test/faces/cli/questions.test.ts',
  'test/faces/cli/chat-terminal.test.ts',
  'test/kills/',
  'test/plugins/builtin-telegram/kill.test.ts',
  'test/plugins/builtin-telegram/polling.test.ts',
  'test/plugins/builtin-core/schedule/kill.test.ts',
  'test/store/private-data.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => long.some((name) => moduleId.includes(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
