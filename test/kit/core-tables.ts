import type { TableOwner } from '../../host/store/database/plugin-migrations.ts';

/** The built-in plugin as its tables are opened without a host. */
export const coreTables: TableOwner = {
  plugin: 'builtin-core',
  prefixes: ['scheduler_', 'channels_', 'memory_', 'watchers_'],
};
