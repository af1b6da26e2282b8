import { defineTool, PegboardError, textResult, toJson, type Caller, type Tool } from 'pegboard';
import { limitsFor, type DatabaseConfig } from './config.ts';
import type { DatabaseConnections } from './connections.ts';
import { quoteName } from './database.ts';
import { rowsSchema, showRows } from './show-rows.ts';
import { connectionId, params, sql, table, toParams, writing } from './tool-parts.ts';

/** Tools that change databases. Each needs confirmation and works only if the configuration allows writes. */
export function createWriteTools(connections: DatabaseConnections, config: DatabaseConfig): Tool[] {
  const limits = (caller: Pick<Caller, 'module'>) => limitsFor(config, caller);
  /** Runs before the confirmation, so that no pointless question is asked. */
  const checkWrites = (caller: Pick<Caller, 'module'>): void => {
    if (limits(caller).allowWrites) return;
    throw new PegboardError(
      'PEG_DENIED',
      "Databases are only read here. `allow_writes: true` in the config of the module database in the agent's file allows changes, or `plugins.builtin-database.config.allowWrites` in pegboard.yaml.",
    );
  };
  const executeQuery = defineTool({
    ...writing,
    name: 'execute_query',
    title: 'Change a database',
    description:
      'Runs one SQL statement that changes rows or tables, after a question. Only where writing is allowed.',
    aliases: ['insert', 'update', 'create table'],
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: { connection_id: connectionId, query: sql, params },
    },
    outputSchema: {
      ...rowsSchema,
      properties: { ...rowsSchema.properties, changed: { type: 'integer', description: 'Rows.' } },
    },
    async prepare({ connection_id: id, query, params: values = [] }, caller) {
      checkWrites(caller);
      const shown = values.length === 0 ? '' : `\n-- with ${toJson(values)}`;
      return { preview: `${query}${shown}\n-- on ${await connections.find(id, caller).name()}` };
    },
    async execute({ connection_id: id, query, params: values = [] }, call) {
      checkWrites(call);
      const database = connections.find(id, call);
      const done = await database.write({ sql: query, params: toParams(values) }, limits(call), call.signal);
      const shown = showRows(
        done,
        await database.name(),
        done.columns.length > 0
          ? ''
          : done.changed === 1
            ? '1 row changed'
            : `${done.changed ?? 0} rows changed`,
      );
      const { changed } = done;
      return { ...shown, structured: { ...shown.structured, ...(changed !== undefined && { changed }) } };
    },
  });
  const dropTable = defineTool({
    ...writing,
    name: 'drop_table',
    title: 'Delete a table',
    description: 'Deletes a table with all its rows, after a question. Only where writing is allowed.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['table'],
      properties: { connection_id: connectionId, table },
    },
    outputSchema: { type: 'object', required: ['table'], properties: { table: { type: 'string' } } },
    async prepare({ connection_id: id, table: name }, caller) {
      checkWrites(caller);
      return { preview: `drop table ${quoteName(name)}\n-- on ${await connections.find(id, caller).name()}` };
    },
    async execute({ connection_id: id, table: name }, call) {
      checkWrites(call);
      const database = connections.find(id, call);
      await database.write({ sql: `drop table ${quoteName(name)}`, params: [] }, limits(call), call.signal);
      return textResult(`The table ${name} is deleted.`, { table: name });
    },
  });
  return [executeQuery, dropTable];
}
