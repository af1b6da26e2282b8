import type { Kysely } from 'kysely';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';
import type { Database } from './database/database.ts';
import type { Tables } from './database/schema.ts';

/** Hashes by path in the home, with "/" between folders. */
export type FileHashes = { readonly [path: string]: string };

export interface ChannelIdentities {
  readonly [name: string]: string;
}

export interface FilesOfHost {
  readonly host: string;
  readonly files: FileHashes;
  /** `Channel.identity` of those by which it can send and receive, by name. Absent: it was not asked to. */
  readonly channels?: ChannelIdentities;
}

/** What the files of each host say, on Postgres. */
export interface HostFiles {
  /**
   * Notes those of a host if `admits` says so, given those of `others`, the hosts that are running. Hosts do this one
   * after the other. False: it was not noted.
   */
  join(
    own: FilesOfHost,
    others: () => Promise<readonly string[]>,
    admits: (others: readonly FilesOfHost[]) => boolean,
  ): Promise<boolean>;
  /** Of a host that has joined. */
  change(own: FilesOfHost): Promise<void>;
  leave(host: string): Promise<void>;
  list(): Promise<readonly FilesOfHost[]>;
}

export function createHostFiles(database: Database): HostFiles {
  const list = async (db: Kysely<Tables>): Promise<readonly FilesOfHost[]> => {
    const rows = await db.selectFrom('host_files').select(['host', 'files']).orderBy('host').execute();
    return rows.map(({ host, files }) => ({ host, ...(parseJson(files) as Omit<FilesOfHost, 'host'>) }));
  };
  return {
    async join(own, others, admits) {
      const db = await database.open();
      return await db.transaction().execute(async (transaction) => {
        const running = new Set(await others());
        const noted = (await list(transaction)).filter(({ host }) => host !== own.host);
        if (!admits(noted.filter(({ host }) => running.has(host)))) return false;
        await transaction
          .deleteFrom('host_files')
          .where('host', 'not in', [own.host, ...running])
          .execute();
        const row = toRow(own);
        await transaction
          .insertInto('host_files')
          .values({ host: own.host, ...row })
          .onConflict((conflict) => conflict.column('host').doUpdateSet(row))
          .execute();
        return true;
      });
    },
    async change(own) {
      const db = await database.open();
      await db.updateTable('host_files').set(toRow(own)).where('host', '=', own.host).execute();
    },
    async leave(host) {
      const db = await database.open();
      await db.deleteFrom('host_files').where('host', '=', host).execute();
    },
    list: async () => await list(await database.open()),
  };
}

const toRow = ({ files, channels }: FilesOfHost): { readonly files: string; readonly noted_at: string } => ({
  files: toJson({ files, ...(channels && { channels }) }),
  noted_at: new Date().toISOString(),
});
