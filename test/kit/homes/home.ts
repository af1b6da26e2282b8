import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writtenState } from '../../../host/compose/home-database.ts';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { isOnPostgres } from '../database.ts';
import { copyMigratedDatabase } from './migrated.ts';
import { rememberHome } from '../../../host/store/owner/known-homes.ts';

/** A home on disk, removed when disposed. */
export interface TestHome extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  /** Writes a file by its path in the home; returns its absolute path. */
  write(file: string, text: string | Uint8Array): Promise<string>;
  read(file: string): Promise<string>;
}

/**
 * A known home with the given files, by path in the home; there is always a `pegboard.yaml`. Its database is there, as
 * after the first use, which would take most of the time of a short test.
 */
export async function createHome(
  files: { readonly [file: string]: string } = {},
  name?: string,
): Promise<TestHome> {
  const home = await createUnusedHome(files, name);
  if (writtenState(home.path) === undefined) await copyMigratedDatabase(home.path);
  return home;
}

/** The same without a database, as before the first use. */
export async function createUnusedHome(
  files: { readonly [file: string]: string } = {},
  name?: string,
): Promise<TestHome> {
  const home = await createUnknownHome(files, name);
  await rememberHome(home.path, processSurroundings());
  return home;
}

/** The same, and unknown to the user. The name of its folder begins with `name`. */
export async function createUnknownHome(
  files: { readonly [file: string]: string } = {},
  name = 'pegboard-',
): Promise<TestHome> {
  const path = await mkdtemp(join(tmpdir(), name));
  const home: TestHome = {
    path,
    async write(file, text) {
      const target = join(path, file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
      return target;
    },
    read: (file) => readFile(join(path, file), 'utf8'),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
  // Every home has a database of its own, on a server that the whole test run shares.
  if (isOnPostgres) {
    const { migratedPostgresUrl } = await import('../postgres.ts');
    await home.write('pegboard.local.yaml', `state: ${await migratedPostgresUrl()}\n`);
  }
  for (const [file, text] of Object.entries({ 'pegboard.yaml': '', ...files })) await home.write(file, text);
  return home;
}

/** The text of a tool manifest: front matter from `yaml`, with id, name and description added. */
export function manifest(id: string, yaml: string, body = ''): string {
  return `---\nid: ${id}\nname: ${id}\ndescription: The tool ${id}\n${yaml.trim()}\n---\n${body}`;
}
