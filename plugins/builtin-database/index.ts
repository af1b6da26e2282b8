import { definePlugin } from 'pegboard';
import type { DatabaseConfig } from './config.ts';
import { createDatabaseConnections } from './connections.ts';
import { createReadTools } from './read-tools.ts';
import { createWriteTools } from './write-tools.ts';

export default definePlugin<DatabaseConfig>({
  setup(context) {
    const connections = createDatabaseConnections(context.variable('DATABASE_URL'), context);
    const { config } = context;
    const tools = [...createReadTools(connections, config), ...createWriteTools(connections, config)];
    return { packs: { database: tools } };
  },
});
