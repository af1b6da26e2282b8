import { hash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { PegboardError } from '../../core/errors.ts';
import { writePrivateFile } from '../../core/files/json-file.ts';
import type { PostgresDatabase } from '../database/postgres/database.ts';
import { breaksConnection, codeOf, explainPostgresError } from '../database/postgres/errors.ts';
import { withFileLock } from '../files/file-lock.ts';
import { readIfThere, type Documents } from './documents.ts';

/** Documents that all hosts of a database share. The files in a folder are this machine's copies. */
export interface SharedDocuments extends Documents {
  /** Brings the copies up to date. Throws PEG_DATABASE; then they are as they were. */
  refresh(): Promise<void>;
  /** Keeps the copies up to date until it is disposed. `onError` is called once for each time of failures. */
  follow(onError: (cause: unknown) => void): Disposable;
}

/** Milliseconds. What was taken back on another host holds here after this time. */
const pollMs = 1_000;
const giveUpAfterMs = 15_000;
const retryMs = 100;

/**
 * Changes of documents happen one after the other, so that their versions are in the order of their commits. "PEGD"; with
 * a second number, it is the lock of one document.
 */
const lockNumber = 1_346_717_508;

/** `folder` is absolute, and only this writes documents into it: files named *.json, except hidden ones. */
export function createSharedDocuments(folder: string, database: PostgresDatabase): SharedDocuments {
  /** A process that copies and one that changes must not write the same file at the same time. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => withFileLock(join(folder, 'documents'), work);
  const nameOf = (path: string): string => relative(folder, path).split(sep).join('/');
  let seen: string | undefined;

  const refresh = async (): Promise<void> => {
    const { version, stored } = await withClient(database, async (client) => ({
      version: await newestVersion(client),
      stored: await listStored(client),
    }));
    if (differing(folder, stored).length + surplus(folder, stored).length > 0)
      await alone(async () => await copyAll(folder, database));
    seen = version;
  };
  const poll = async (): Promise<void> => {
    if ((await withClient(database, newestVersion)) !== seen) await refresh();
  };
  return {
    refresh,
    change: (path, edit) =>
      alone(async () => {
        const text = await withClient(database, (client) => changeStored(client, nameOf(path), edit));
        await writePrivateFile(path, text);
      }),
    exclusively: (path, work) =>
      withFileLock(`${path}.work`, () =>
        withClient(database, async (client) => {
          await lockDocument(client, path, nameOf(path));
          try {
            await refresh();
            return await work();
          } finally {
            await client.query('select pg_advisory_unlock($1, hashtext($2))', [lockNumber, nameOf(path)]);
          }
        }),
      ),
    follow(onError) {
      let isFailing = false;
      let hasEnded = false;
      let polling: Promise<void> | undefined;
      const timer = setInterval(() => {
        polling ??= poll()
          .then(() => void (isFailing = false))
          .catch((cause: unknown) => {
            if (!isFailing && !hasEnded) onError(cause);
            isFailing = true;
          })
          .finally(() => (polling = undefined));
      }, pollMs);
      timer.unref();
      return {
        [Symbol.dispose]() {
          hasEnded = true;
          clearInterval(timer);
        },
      };
    },
  };
}

interface Stored {
  readonly name: string;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
}

/** Also tells apart a database that was restored from a dump. */
async function newestVersion(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select concat(max(version), ' ', count(*)) as version from shared_documents`,
  );
  return rows[0]!.version;
}

async function listStored(client: PoolClient): Promise<readonly Stored[]> {
  const { rows } = await client.query<Stored>(
    `select name, encode(sha256(content), 'hex') as hash from shared_documents order by version`,
  );
  return rows;
}

const differing = (folder: string, stored: readonly Stored[]): readonly Stored[] =>
  stored.filter(({ name, hash: expected }) => {
    const text = readIfThere(join(folder, name));
    return text === undefined || hash('sha256', text) !== expected;
  });

/** Paths of copies of documents that are not there any more. */
function surplus(folder: string, stored: readonly Stored[]): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = new Set(stored.map(({ name }) => name));
  return globSync('**/[!.]*.json', { cwd: folder })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => !names.has(name))
    .map((name) => join(folder, name));
}

/** In the order in which they were changed: an approval comes after what it is for. */
async function copyAll(folder: string, database: PostgresDatabase): Promise<void> {
  const { stored, contents } = await withClient(database, async (client) => {
    await client.query('begin isolation level repeatable read');
    const all = await listStored(client);
    const wanted = differing(folder, all).map(({ name }) => name);
    const { rows } = await client.query<{ name: string; content: Uint8Array }>(
      'select name, content from shared_documents where name = any($1) order by version',
      [wanted],
    );
    await client.query('commit');
    return { stored: all, contents: rows };
  });
  for (const path of surplus(folder, stored)) await rm(path, { force: true });
  for (const { name, content } of contents)
    await writePrivateFile(join(folder, name), Buffer.from(content).toString('utf8'));
}

/** Returns the new content. */
async function changeStored(
  client: PoolClient,
  name: string,
  edit: (text: string | undefined) => string,
): Promise<string> {
  await client.query(`begin; select pg_advisory_xact_lock(${lockNumber})`);
  const { rows } = await client.query<{ content: Uint8Array }>(
    'select content from shared_documents where name = $1',
    [name],
  );
  const before = rows[0] && Buffer.from(rows[0].content).toString('utf8');
  const text = edit(before);
  // As bytes, which are stored as they are.
  if (text !== before)
    await client.query(
      `insert into shared_documents (name, content, version, changed_at)
      values ($1, $2, (select coalesce(max(version), 0) + 1 from shared_documents), now())
      on conflict (name) do update
        set content = excluded.content, version = excluded.version, changed_at = excluded.changed_at`,
      [name, Buffer.from(text)],
    );
  await client.query('commit');
  return text;
}

/** Until the connection ends, or it is unlocked. */
async function lockDocument(client: PoolClient, path: string, name: string): Promise<void> {
  const until = performance.now() + giveUpAfterMs;
  for (;;) {
    const { rows } = await client.query<{ locked: number | boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as locked',
      [lockNumber, name],
    );
    if (rows[0]!.locked) return;
    if (performance.now() > until)
      throw new PegboardError('PEG_INTERNAL', `Another host has been working on ${path} for too long.`);
    await delay(retryMs);
  }
}

/** Undoes what `work` has not committed when it throws. Throws PEG_DATABASE. */
async function withClient<T>(
  database: PostgresDatabase,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const attempt = (): Promise<T> => withConnection(database, work);
  try {
    return await attempt().catch(async (cause: unknown) => {
      // This process stood still in a transaction, as while its machine sleeps, and the server has undone it.
      if (codeOf(cause) !== '25P03') throw cause;
      return await attempt();
    });
  } catch (cause) {
    throw explainPostgresError(database.name, cause);
  }
}

async function withConnection<T>(
  database: PostgresDatabase,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await (await database.pool()).connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (cause) {
    isBroken = breaksConnection(cause);
    await client.query('rollback').catch(() => (isBroken = true));
    throw cause;
  } finally {
    client.release(isBroken);
  }
}
