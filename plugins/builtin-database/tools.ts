import { defineTool, PegboardError, toJson, writtenText, type Caller, type Tool } from 'pegboard';
import { limitsFor, type DatabaseConfig } from './config.ts';
import { defaultId, type DatabaseConnections } from './connections.ts';
import { didYouMean, quoteName, type Param } from './database.ts';
import { showRows } from './show-rows.ts';

const connectionId = {
  type: 'string',
  minLength: 1,
  maxLength: 4_096,
  default: defaultId,
  description: 'As connect named it, or the path of an SQLite file.',
} as const;
const table = { type: 'string', minLength: 1, maxLength: 200, description: 'Of a table.' } as const;
const params = {
  type: 'array',
  maxItems: 100,
  items: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Values for ? (SQLite) or $1, $2 (Postgres) in the statement.',
} as const;
const sql = {
  type: 'string',
  minLength: 1,
  maxLength: 100_000,
  description: 'One statement of SQL.',
} as const;
const common = {
  category: 'database',
  tags: ['sql', 'sqlite', 'postgres', 'postgresql', 'table', 'rows'],
  timeout: 660,
  keepsNumbers: true,
};
const reading = { ...common, annotations: { readOnlyHint: true } };
const writing = { ...common, confirm: true, annotations: { readOnlyHint: false, destructiveHint: true } };

export function createDatabaseTools(connections: DatabaseConnections, config: DatabaseConfig): Tool[] {
  const limits = (caller: Pick<Caller, 'module'>) => limitsFor(config, caller);
  /** Before anybody is asked. */
  const checkWrites = (caller: Pick<Caller, 'module'>): void => {
    if (limits(caller).allowWrites) return;
    throw new PegboardError(
      'PEG_DENIED',
      "Databases are only read here. `allow_writes: true` in the config of the module database in the agent's file allows changes, or `plugins.builtin-database.config.allowWrites` in pegboard.yaml.",
    );
  };
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
    execute: (args, call) => connections.connect(args, call),
  });
  const listTables = defineTool({
    ...reading,
    name: 'list_tables',
    title: 'List tables',
    description: 'Lists the tables and views of a database.',
    aliases: ['show tables', 'Tabellen auflisten', 'lister les tables'],
    parameters: { type: 'object', additionalProperties: false, properties: { connection_id: connectionId } },
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
    prepare: ({ query }) => ({ preview: query }),
    async execute({ connection_id: id, query, params: values = [] }, call) {
      const database = connections.find(id, call);
      const statement = { sql: query, params: toParams(values) };
      return showRows(await database.read(statement, limits(call), call.signal), await database.name());
    },
  });
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
    async prepare({ connection_id: id, query, params: values = [] }, caller) {
      checkWrites(caller);
      const shown = values.length === 0 ? '' : `\n-- with ${toJson(values)}`;
      return { preview: `${query}${shown}\n-- on ${await connections.find(id, caller).name()}` };
    },
    async execute({ connection_id: id, query, params: values = [] }, call) {
      checkWrites(call);
      const database = connections.find(id, call);
      const done = await database.write({ sql: query, params: toParams(values) }, limits(call), call.signal);
      return showRows(
        done,
        await database.name(),
        done.columns.length > 0 ? '' : `${done.changed ?? 0} rows changed`,
      );
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
    async prepare({ connection_id: id, table: name }, caller) {
      checkWrites(caller);
      return { preview: `drop table ${quoteName(name)}\n-- on ${await connections.find(id, caller).name()}` };
    },
    async execute({ connection_id: id, table: name }, call) {
      checkWrites(call);
      const database = connections.find(id, call);
      await database.write({ sql: `drop table ${quoteName(name)}`, params: [] }, limits(call), call.signal);
      return `The table ${name} is deleted.`;
    },
  });
  return [connect, listTables, describeTable, fetchResults, executeQuery, dropTable];
}

const toParams = (values: readonly (string | number | boolean | null)[]): Param[] =>
  values.map((value, at) => {
    if (typeof value === 'boolean') return { number: value ? '1' : '0' };
    return typeof value === 'number' ? { number: writtenText(values, at) } : value;
  });
