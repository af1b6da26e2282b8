import { PegboardError } from '../../core/errors.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { isSealed, openSealed, seal } from '../secrets/sealed.ts';
import type { Row, SourceSide, TableShape, TargetSide } from './side.ts';

/** What is a table on a server, and files where there is none. */
export const documentsTable = 'shared_documents';
export const artifactsTable = 'artifacts';

/** Of documents: their names, and their text as hosts share it, but not sealed. */
export const sharedTables: readonly TableShape[] = [
  { name: documentsTable, columns: ['content', 'name'] },
  { name: artifactsTable, columns: ['content', 'id', 'written_at'] },
].map((table) => ({ ...table, owner: undefined, hasRowid: false, isVirtual: false }));

export const isSharedTable = (name: string): boolean => sharedTables.some((table) => table.name === name);

/** Secrets, and logins at MCP servers. */
export const isSealedDocument = (name: string): boolean =>
  name === 'secrets.json' || name.startsWith('logins/');

/** Of a JSON text. Without a passphrase, it is unchanged. */
export const sealed = (text: string, passphrase: string | undefined): string =>
  passphrase === undefined ? text : toJson(seal(parseJson(text), passphrase));

/** Throws PEG_CONFIG when the passphrase does not open it. */
export function opened(text: string, passphrase: string | undefined): string {
  const stored = parseJson(text);
  return isSealed(stored) ? toJson(openSealed(stored, passphrase)) : text;
}

/** A server whose documents are read and written as they are before they are sealed. */
export function withSharedTables(
  server: SourceSide & TargetSide,
  passphrase: string | undefined,
): SourceSide & TargetSide {
  const toText = ([content, name]: Row): Row => {
    const text = Buffer.from(content as Uint8Array).toString('utf8');
    return [isSealedDocument(name as string) ? opened(text, passphrase) : text, name!];
  };
  const toContent = (text: string, name: string): Uint8Array => {
    if (!isSealedDocument(name)) return Buffer.from(text);
    if (passphrase === undefined)
      throw new PegboardError('PEG_CONFIG', 'PEGBOARD_PASSPHRASE is not set. Nothing was changed.');
    return Buffer.from(sealed(text, passphrase));
  };
  return {
    ...server,
    tables: async () =>
      (await server.tables()).map((table) => sharedTables.find(({ name }) => name === table.name) ?? table),
    async *read(table, columns) {
      for await (const rows of server.read(table, columns))
        yield table === documentsTable ? rows.map(toText) : rows;
    },
    async insert(table, columns, rows) {
      const now = new Date().toISOString();
      if (table === documentsTable)
        await server.insert(
          table,
          [...columns, 'version', 'changed_at'],
          rows.map(([text, name]) => [toContent(text as string, name as string), name!, 1n, now]),
        );
      else if (table === artifactsTable)
        await server.insert(
          table,
          [...columns, 'bytes'],
          rows.map((row) => [...row, BigInt(Buffer.byteLength(row[0] as string))]),
        );
      else await server.insert(table, columns, rows);
    },
  };
}
