import { definePlugin } from 'pegboard';
import type { DatabaseConfig } from './config.ts';
import { createDatabaseConnections } from './connections.ts';
import { createDatabaseTools } from './tools.ts';

export default definePlugin<DatabaseConfig>({
  setup(context) {
    const connections = createDatabaseConnections(context.variable('DATABASE_URL'), (scope) =>
      context.placesFor(scope),
    );
    return { packs: { database: createDatabaseTools(connections, context.config) } };
  },
});
