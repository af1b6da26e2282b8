import { definePlugin } from 'pegboard';
import type { DatabaseConfig } from './config.ts';
import { createConnections } from './connections.ts';
import { createDatabaseTools } from './tools.ts';

export default definePlugin<DatabaseConfig>({
  setup(context) {
    const connections = createConnections(context.variable('DATABASE_URL'), (scope) =>
      context.placesFor(scope),
    );
    return { packs: { database: createDatabaseTools(connections, context.config) } };
  },
});
