import { definePlugin } from 'pegboard';
import type { CoreConfig } from './config.ts';
import { createReadArtifact } from './core/read-artifact.ts';
import { createFilesystemPack } from './filesystem/pack.ts';

export default definePlugin<CoreConfig>({
  setup(context) {
    return {
      packs: {
        filesystem: createFilesystemPack(context),
        core: [createReadArtifact(context.artifacts)],
      },
    };
  },
});
