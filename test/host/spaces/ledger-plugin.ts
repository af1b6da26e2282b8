/** A plugin that brings the module `ledger`: a list of rows in a file, opened by name. */
export const ledgerPlugin = {
  'plugins/ledger/plugin.yaml': `
id: ledger
version: "1.0.0"
description: Keeps rows
packs:
  ledger:
    description: Query rows of connections
    config:
      type: object
      additionalProperties: false
      properties: { timeout_seconds: { type: number, exclusiveMinimum: 0 } }
    constraints:
      type: object
      properties: { most_rows: { type: integer } }
`,
  'plugins/ledger/index.ts': `
import { definePlugin, defineTool, PegboardError } from 'pegboard';

const query = { type: 'object', properties: { sql: { type: 'string' } } } as const;

export default definePlugin({
  setup() {
    const open = new Map<string, string>();
    const connect = defineTool({
      name: 'connect',
      description: 'Opens a connection',
      parameters: {
        type: 'object',
        required: ['connection_id', 'driver', 'database'],
        properties: {
          connection_id: { type: 'string' },
          driver: { type: 'string', enum: ['sqlite'] },
          database: { type: 'string' },
        },
      },
      execute({ connection_id, database }, call) {
        if (database.includes('missing')) throw new PegboardError('PEG_TOOL_FAILED', 'There is no ' + database + '.');
        const times = Number(open.get('times') ?? 0) + 1;
        open.set('times', String(times));
        open.set(call.scope.agent + ' ' + connection_id, database);
        return 'connected ' + times;
      },
    });
    const tool = (name: string) =>
      defineTool({
        name,
        description: name + ' of the open connection',
        parameters: query,
        execute: (_args, call) => ({
          connection: open.get(call.scope.agent + ' main') ?? 'none',
          opened: Number(open.get('times') ?? 0),
          config: call.module?.config,
          mostRows: call.module?.constraints['most_rows'],
          credential: call.credential?.(),
        }),
      });
    return {
      packs: {
        ledger: [connect, ...['fetch_results', 'list_tables', 'execute_query', 'drop_table'].map(tool)],
      },
    };
  },
});
`,
};

/** Module declarations in the format of other systems, which must load unchanged. */
export const declaredModules = `tools:
  modules:
    filesystem:
      constraints:
        allowed_actions: [read, glob, grep]
    ledger:
      config:
        timeout_seconds: 10
      setup:
        - action: connect
          params:
            connection_id: main
            driver: sqlite
            database: "{{workdir}}/data.db"
      constraints:
        allowed_actions: [fetch_results, list_tables]
        blocked_actions: [execute_query]
`;
