import type { TableOwner } from '../../host/store/database/plugin-migrations.ts';

/** Opens the tables of the built-in plugin without a host. */
export const coreTables: TableOwner = {
  plugin: 'builtin-core',
  prefixes: ['scheduler_', 'channels_', 'memory_', 'watchers_'],
};
