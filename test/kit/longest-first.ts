import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take 15 seconds or more run first: at the end, the other workers would be idle. */
const long = [
  'test/system/docs/commands.test.ts',
  'test/plugins/builtin-self/deploy.test.ts',
  'test/host/spaces/pinned/pinned.test.ts',
  'test/host/mcp-server/calls/tasks.test.ts',
  'test/system/conformance/server.test.ts',
  'test/system/provenance/obedience.test.ts',
  'test/system/boundaries/writes.test.ts',
  'test/system/secrets/canaries.test.ts',
  'test/host/cli/servers/registry.test.ts',
  'test/host/cli/approvals/approvals.test.ts',
  'test/host/cli/prompt/questions.test.ts',
  'test/host/cli/prompt/chat-terminal.test.ts',
  'test/system/kills/',
  'test/host/channels/every-channel.test.ts',
  'test/plugins/builtin-telegram/kill.test.ts',
  'test/plugins/builtin-telegram/inbox/polling.test.ts',
  'test/plugins/builtin-core/schedule/kill.test.ts',
  'test/host/core/files/private-data.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => long.some((name) => moduleId.includes(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
