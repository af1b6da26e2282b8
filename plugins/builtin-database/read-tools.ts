import { defineTool, PegboardError, textResult, type Caller, type Tool } from 'pegboard';
import { limitsFor, type DatabaseConfig } from './config.ts';
import type { DatabaseConnections } from './connections.ts';
import { didYouMean } from './database.ts';
import { rowsSchema, showRows } from './show-rows.ts';
import { common, connectionId, params, reading, sql, table, toParams } from './tool-parts.ts';

const opened = {
  type: 'object',
  required: ['connection_id', 'name'],
  properties: { connection_id: { type: 'string' }, name: { type: 'string' } },
} as const;

/** Tools that connect to databases and read them. */
export function createReadTools(connections: DatabaseConnections, config: DatabaseConfig): Tool[] {
  const limits = (caller: Pick<Caller, 'module'>) => limitsFor(config, caller);
  const connect = defineTool({
    ...common,
    name: 'connect',
    title: 'Connect a database',
    description: 'Names an SQLite file of the home, or the Postgres of DATABASE_URL, for later queries.',
    aliases: ['open database', 'Datenbank öffnen', 'abrir base de datos'],
    annotations: { readOnlyHint: true },
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        connection_id: { ...connectionId, description: 'What later calls name it by.' },
        driver: {
          type: 'string',
          enum: ['sqlite', 'postgres'],
          default: 'sqlite',
          description: 'Kind of database.',
        },
        database: {
          type: 'string',
          minLength: 1,
          maxLength: 4_096,
          description: 'SQLite: path of the file.',
        },
      },
    },
    outputSchema: opened,
    async execute(args, call) {
      const { id, name } = await connections.connect(args, call);
      return textResult(`${id} is ${name}`, { connection_id: id, name });
    },
  });
  const listTables = defineTool({
    ...reading,
    name: 'list_tables',
    title: 'List tables',
    description: 'Lists the tables and views of a database.',
    aliases: ['show tables', 'Tabellen auflisten', 'lister les tables'],
    parameters: { type: 'object', additionalProperties: false, properties: { connection_id: connectionId } },
    outputSchema: rowsSchema,
    async execute({ connection_id: id }, call) {
      const database = connections.find(id, call);
      return showRows(await database.tables(limits(call), call.signal), await database.name());
    },
  });
  const describeTable = defineTool({
    ...reading,
    name: 'describe_table',
    title: 'Describe a table',
    description: 'Lists the columns of a table with their types.',
    aliases: ['table schema', 'columns'],
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['table'],
      properties: { connection_id: connectionId, table },
    },
    outputSchema: rowsSchema,
    async execute({ connection_id: id, table: name }, call) {
      const database = connections.find(id, call);
      const columns = await database.columns(name, limits(call), call.signal);
      if (columns.rows.length === 0) {
        const tables = await database.tables(limits(call), call.signal);
        // Postgres has tables without columns.
        if (!tables.rows.some(([known]) => known === name))
          throw new PegboardError(
            'PEG_TOOL_FAILED',
            `There is no table "${name}" in ${await database.name()}.${didYouMean(name, tables)}`,
          );
      }
      return showRows(columns, await database.name());
    },
  });
  const fetchResults = defineTool({
    ...reading,
    name: 'fetch_results',
    title: 'Query a database',
    description:
      'Runs one SQL query that reads (select, with, values) and returns its rows. Changes nothing.',
    aliases: ['query', 'select', 'run sql', 'Datenbank abfragen', 'consultar base de datos', 'requête SQL'],
    examples: [{ input: { query: 'select name, total from orders order by total desc limit 10' } }],
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: { connection_id: connectionId, query: sql, params },
    },
    outputSchema: rowsSchema,
    prepare: ({ query }) => ({ preview: query }),
    async execute({ connection_id: id, query, params: values = [] }, call) {
      const database = connections.find(id, call);
      const statement = { sql: query, params: toParams(values) };
      return showRows(await database.read(statement, limits(call), call.signal), await database.name());
    },
  });
  return [connect, listTables, describeTable, fetchResults];
}
