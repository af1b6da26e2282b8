import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifacts } from '../api/store/artifacts.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import { interpolate, referencesIn } from '../core/documents/interpolate.ts';
import { messageOf } from '../core/errors.ts';
import { configFile, localConfigFile } from '../core/files/config-files.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { nameOfPostgres } from '../store/database/postgres/address.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../store/database/postgres/database.ts';
import type { SharedDocuments } from '../store/documents/shared-documents.ts';
import { stateFolderIn } from '../store/owner/user-state.ts';
import { writtenState } from './home-database.ts';
import { readRegularFile } from '../core/files/regular-file.ts';

/** Where the hosts of a home share their state. */
export interface SharedPlace {
  readonly url: string;
  /** The name of the database, without its password. */
  readonly name: string;
  /** Of this machine's copies of the documents. */
  readonly folder: string;
  /** The variables that `state` names. */
  readonly inAddress: ReadonlySet<string>;
}

/** Of a home whose state is on Postgres. Disposing closes the database. */
export interface SharedState extends AsyncDisposable {
  readonly place: SharedPlace;
  readonly folder: string;
  readonly database: PostgresDatabase;
  readonly documents: SharedDocuments;
  readonly artifacts: Artifacts;
  /** That the copies could not be brought up to date. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * By what the files of the home say now. `resolve` finds the variables of this machine. Undefined for a home with a file,
 * and where `state` can't be used, which reading the configuration reports.
 */
export function sharedPlaceOf(
  home: string,
  resolve: (name: string) => string | undefined,
  stateRoot: string,
): SharedPlace | undefined {
  // Parsing takes longer.
  if (![configFile, localConfigFile].some((file) => mentionsState(join(home, file)))) return undefined;
  const state = writtenState(home);
  if (state === undefined) return undefined;
  const { text: url, missing } = interpolate(state, resolve);
  if (missing.length > 0) return undefined;
  let name: string;
  try {
    name = nameOfPostgres(url);
  } catch {
    return undefined;
  }
  const folder = join(stateFolderIn(stateRoot, home), 'shared', hash('sha256', name).slice(0, 16));
  return { url, name, folder, inAddress: new Set(referencesIn(state)) };
}

function mentionsState(path: string): boolean {
  try {
    return existsSync(path) && readRegularFile(path).toString('utf8').includes('state');
  } catch {
    return false;
  }
}

/** Brings this machine's copies up to date. A database that fails is reported, and the copies hold as they are. */
export async function openSharedState(place: SharedPlace, redactor: Redactor): Promise<SharedState> {
  const { url, folder } = place;
  const [{ createSharedDocuments }, { createSharedArtifacts }] = await Promise.all([
    import('../store/documents/shared-documents.ts'),
    import('../store/files/shared-artifacts.ts'),
  ]);
  const database = createPostgresDatabase(url, { redact: (text) => redactor.text(text) });
  const documents = createSharedDocuments(folder, database);
  let diagnostics: readonly Diagnostic[] = [];
  try {
    await documents.refresh();
  } catch (cause) {
    diagnostics = [staleCopies(cause)];
  }
  return {
    place,
    folder,
    database,
    documents,
    artifacts: createSharedArtifacts(database),
    diagnostics,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const staleCopies = (cause: unknown): Diagnostic => ({
  severity: 'warning',
  code: 'shared-state-unreachable',
  message: `approvals and secrets are as this machine last knew them, because they could not be read: ${messageOf(cause)}`,
});
