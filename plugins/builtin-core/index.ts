import { definePlugin } from 'pegboard';
import { createChannelSend } from './channels/send.ts';
import type { ChannelTables } from './channels/tables.ts';
import { createTerminalChannel } from './channels/terminal.ts';
import type { CoreConfig } from './config.ts';
import { createReadArtifact } from './core/read-artifact.ts';
import { createFileAccess } from './filesystem/access/file-access.ts';
import { createFilesystemPack } from './filesystem/pack.ts';
import { createIdentityRead } from './identity/read.ts';
import { createIdentityUpdate } from './identity/update.ts';
import { createMemoryParts } from './memory/parts.ts';
import { migrations } from './migrations.ts';
import { createSchedulingParts } from './schedule/parts.ts';
import { createSecretTools } from './secrets/tools.ts';
import { rootChecks } from './filesystem/access/checks.ts';
import { shellChecks } from './shell/checks.ts';
import { createUsageStats } from './usage/usage-stats.ts';
import { createWatchingParts } from './watchers/parts.ts';
import { createWorkspacePack } from './workspace/pack.ts';

export default definePlugin<CoreConfig>({
  setup(context) {
    const { agents, artifacts, config, secrets } = context;
    const files = createFileAccess(context);
    const schedule = createSchedulingParts(context);
    const watching = createWatchingParts(context, files);
    const memory = createMemoryParts(context);
    const tables = context.database<ChannelTables>(migrations);
    return {
      packs: {
        filesystem: createFilesystemPack(context, files),
        core: [
          createReadArtifact(artifacts),
          ...memory.core,
          ...schedule.core,
          ...createSecretTools(secrets),
          createIdentityRead(agents, files),
          createIdentityUpdate(agents, files),
          createUsageStats(context),
        ],
        memory: memory.memory,
        scheduler: schedule.scheduler,
        watchers: watching.tools,
        channels: [createChannelSend(context, files)],
        workspace: createWorkspacePack(agents, files),
      },
      channels: {
        terminal: createTerminalChannel(tables),
      },
      services: [schedule.service, watching.service],
      commands: { ...memory.commands, ...schedule.commands, ...watching.commands },
      onSecretScrubbed: memory.onSecretScrubbed,
      moving: { ...memory.moving, jobs: ['scheduler_runs.job', 'watchers_history.job'] },
      roots: () => files.roots.listed,
      mentions: async () =>
        tables.isThere() ? [...(await schedule.mentions()), ...(await watching.mentions())] : [],
      checks: () => [...shellChecks(config), ...rootChecks(files.roots, context)],
      turn: memory.turn,
    };
  },
});
