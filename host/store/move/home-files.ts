import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { User } from '../../core/platform/places.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { writePrivateFile } from '../../core/files/json-file.ts';
import { toLocalOrigins, toSharedOrigins } from '../files/origin-entries.ts';
import { userStateOf } from '../owner/user-state.ts';
import type { SecretStore } from '../secrets/secrets.ts';
import type { Row, SourceSide, TargetSide } from './side.ts';
import {
  artifactsTable,
  documentsTable,
  isSealedDocument,
  isSharedTable,
  opened,
  sealed,
  sharedTables,
} from './shared-tables.ts';

/** A home, and the user whose approvals go with it. */
export interface OwnedHome {
  readonly home: string;
  readonly user: User;
}

/** What hosts would share of one home, from its files and its user's, as rows of `sharedTables`. */
export interface HomeFiles {
  rows(table: string): AsyncIterable<readonly Row[]>;
}

/** The files of a home to come. They take effect with `putInPlace`. */
export interface IncomingFiles extends HomeFiles {
  insert(table: string, rows: readonly Row[]): Promise<void>;
  clear(): Promise<void>;
  /**
   * May be repeated until `clear`. Files that were there and differ are kept beside: `NAME.moved-TIME`.
   */
  putInPlace(secrets: SecretStore): Promise<void>;
}

/** `isShared`: whether other hosts get a secret of this home. */
export function filesOfHome(
  { home, user }: OwnedHome,
  secrets: SecretStore,
  isShared: (secret: string) => boolean,
): HomeFiles {
  const documents = function* (): Iterable<Row> {
    for (const { name, path } of documentFiles({ home, user })) {
      const text = readFileSync(path, 'utf8');
      if (name === 'file-origins.json') yield [toSharedOrigins(text, home), name];
      else if (name.startsWith('logins/')) yield [toJson(parseJson(text)), name];
      else yield [text, name];
    }
    const shared = secrets.list().filter(({ name }) => isShared(name));
    const values = shared.map(({ name, origin, at }) => [name, { value: secrets.get(name), origin, at }]);
    if (values.length > 0) yield [toJson(Object.fromEntries(values)), 'secrets.json'];
  };
  return {
    async *rows(table) {
      for (const row of table === documentsTable ? documents() : artifactsIn(artifactsOf(home))) yield [row];
    },
  };
}

/** A file of SQLite, with the files that are tables on a server. A source gets no rows. */
export function withHomeFiles(
  file: SourceSide & TargetSide,
  files: HomeFiles | IncomingFiles,
): SourceSide & TargetSide {
  const incoming = 'insert' in files ? files : undefined;
  return {
    ...file,
    tables: async () => [...(await file.tables()), ...sharedTables],
    async countOf(table) {
      if (!isSharedTable(table)) return await file.countOf(table);
      let count = 0;
      for await (const rows of files.rows(table)) count += rows.length;
      return count;
    },
    read: (table, columns) => (isSharedTable(table) ? files.rows(table) : file.read(table, columns)),
    insert: async (table, columns, rows) =>
      isSharedTable(table) ? await incoming!.insert(table, rows) : await file.insert(table, columns, rows),
    async empty(tables) {
      await file.empty(tables);
      if (tables.some(isSharedTable)) await incoming!.clear();
    },
  };
}

/** With a passphrase, what was sealed on the server is sealed here too. */
export function incomingFiles({ home, user }: OwnedHome, passphrase: string | undefined): IncomingFiles {
  const folder = join(home, 'data/moving-in');
  const [documents, artifacts] = [join(folder, 'documents'), join(folder, 'artifacts')];
  const names = (): readonly string[] => jsonFilesIn(documents);
  const textOf = (name: string): string => {
    const text = readFileSync(join(documents, name), 'utf8');
    return isSealedDocument(name) ? opened(text, passphrase) : text;
  };
  return {
    async *rows(table) {
      if (table !== documentsTable) for (const row of artifactsIn(artifacts)) yield [row];
      else for (const name of names()) yield [[textOf(name), name]];
    },
    async insert(table, rows) {
      for (const [content, name, at] of rows as readonly (readonly string[])[]) {
        if (table === artifactsTable) {
          const path = join(artifacts, `${name}.txt`);
          await writePrivateFile(path, content!);
          await utimes(path, new Date(at!), new Date(at!));
        } else {
          const text = isSealedDocument(name!) ? sealed(content!, passphrase) : content!;
          await writePrivateFile(join(documents, name!), text);
        }
      }
    },
    clear: () => rm(folder, { recursive: true, force: true }),
    async putInPlace(secrets) {
      for (const name of names()) {
        const text = textOf(name);
        if (name === 'secrets.json') await storeAll(secrets, text);
        else
          await replace(
            placeOf({ home, user }, name),
            name === 'file-origins.json' ? toLocalOrigins(text, home) : text,
          );
      }
      const kept = artifactsOf(home);
      await mkdir(kept, { recursive: true, mode: 0o700 });
      for (const name of globSync('*.txt', { cwd: artifacts })) {
        const { atime, mtime } = statSync(join(artifacts, name));
        await copyFile(join(artifacts, name), join(kept, name));
        await utimes(join(kept, name), atime, mtime);
      }
    },
  };
}

const artifactsOf = (home: string): string => join(home, 'data/artifacts');

/** The file of one home, of a document that is no secret. */
function placeOf({ home, user }: OwnedHome, name: string): string {
  if (name.startsWith('logins/')) return join(home, 'data/mcp/oauth', basename(name));
  if (name === 'file-origins.json') return join(home, 'data', name);
  return join(userStateOf(home, user), name);
}

function documentFiles({
  home,
  user: owner,
}: OwnedHome): readonly { readonly name: string; readonly path: string }[] {
  const user = userStateOf(home, owner);
  const logins = jsonFilesIn(join(home, 'data/mcp/oauth')).map((name) => `logins/${name}`);
  const pins = jsonFilesIn(join(user, 'pins')).map((name) => `pins/${name}`);
  return ['approved.json', ...pins, 'file-origins.json', ...logins]
    .map((name) => ({ name, path: placeOf({ home, user: owner }, name) }))
    .filter(({ path }) => existsSync(path));
}

/** With "/" between folders. Hidden ones are caches. */
const jsonFilesIn = (folder: string): readonly string[] =>
  globSync('**/[!.]*.json', { cwd: folder }).map((name) => name.split(sep).join('/'));

function* artifactsIn(folder: string): Iterable<Row> {
  for (const name of globSync('*.txt', { cwd: folder })) {
    const path = join(folder, name);
    const at = new Date(Math.round(statSync(path).mtimeMs)).toISOString();
    yield [readFileSync(path, 'utf8'), basename(name, '.txt'), at];
  }
}

async function replace(path: string, text: string): Promise<void> {
  if (existsSync(path)) {
    if (readFileSync(path, 'utf8') === text) return;
    await rename(path, asideOf(path));
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writePrivateFile(path, text);
}

/** Where a file is kept that a move has replaced. */
export const asideOf = (path: string, at = new Date().toISOString()): string =>
  `${path}.moved-${at.slice(0, 19).replaceAll(':', '-')}`;

async function storeAll(secrets: SecretStore, text: string): Promise<void> {
  const all = parseJson(text) as {
    readonly [name: string]: { readonly value: string; readonly origin: 'owner' | 'agent' };
  };
  for (const [name, { value, origin }] of Object.entries(all))
    if (secrets.get(name) !== value) await secrets.set(name, value, origin);
}
