import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take 15 seconds or more, the longest first: begun at the end, they would leave the other workers idle. */
const long = [
  'test/system/docs/commands.test.ts',
  'test/host/cli/home/move.test.ts',
  'test/host/engine/pgboss.test.ts',
  'test/plugins/builtin-core/schedule/scheduler.test.ts',
  'test/plugins/builtin-telegram/two-hosts.test.ts',
  'test/system/package/npm-install.test.ts',
  'test/host/cli/upgrade/upgrade.test.ts',
  'test/host/spaces/pinned/pinned.test.ts',
  'test/host/cli/servers/registry.test.ts',
  'test/system/boundaries/writes.test.ts',
  'test/host/web/page/',
  'test/host/mcp-server/protocol/down-and-pending.test.ts',
  'test/system/secrets/canaries.test.ts',
  'test/host/channels/every-channel.test.ts',
  'test/host/agent/models/text-tools/read-calls.test.ts',
  'test/system/kills/',
  'test/plugins/builtin-self/deploy.test.ts',
  'test/host/cli/home/hosts.test.ts',
  'test/host/cli/home/shared-state.test.ts',
  'test/host/cli/home/postgres-state.test.ts',
  'test/plugins/builtin-telegram/going-on.test.ts',
  'test/host/cli/lint/links.test.ts',
  'test/system/provenance/obedience.test.ts',
  'test/host/mcp-server/calls/tasks.test.ts',
  'test/system/conformance/server.test.ts',
  'test/host/cli/approvals/approvals.test.ts',
  'test/host/cli/prompt/questions.test.ts',
  'test/host/cli/prompt/chat-terminal.test.ts',
  'test/arrival/',
  'test/host/plugins/unknown-members.test.ts',
  'test/host/cli/home/usage.test.ts',
  'test/plugins/builtin-telegram/kill.test.ts',
  'test/plugins/builtin-telegram/inbox/polling.test.ts',
  'test/plugins/builtin-telegram/owner-asks.test.ts',
  'test/plugins/builtin-core/schedule/kill.test.ts',
  'test/plugins/builtin-core/memory/quality.test.ts',
  'test/system/fuzz/text-calls.test.ts',
  'test/host/core/files/private-data.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = long.findIndex((name) => moduleId.includes(name));
      return place < 0 ? long.length : place;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
