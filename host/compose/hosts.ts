import type { EngineHost, EngineStatus } from '../api/engine.ts';
import type { Logger } from '../api/log.ts';
import type { Database } from '../store/database/database.ts';
import { createHostFiles, type ChannelIdentities } from '../store/host-files.ts';
import { hashOfAll } from './configuration-files.ts';
import { isOnPostgres } from './home-database.ts';
import { createLazyEngine, type LazyEngine } from './lazy-engine.ts';
import { takePlace, type Place } from './same-files.ts';

/** A process that works on what waits in this home. */
export interface HostStatus extends EngineHost {
  /** Stands for what its files say. Absent on SQLite, where all hosts have the same folder. */
  readonly files?: string;
}

export interface HostsStatus extends EngineStatus {
  readonly hosts: readonly HostStatus[];
}

/** The hosts of this home, this process among them once it has joined. */
export interface Hosts {
  /**
   * `channels`: those by which this host sends and receives. Throws PEG_DENIED when a running host of the same database has
   * others, or other accounts or people in them, or other files, and when shared secrets can't be read here; and PEG_DATABASE.
   */
  join(channels: ChannelIdentities): Promise<void>;
  /** Joins nothing. Throws PEG_DATABASE. */
  status(): Promise<HostsStatus>;
  /** Whether this process has joined, and has not left. */
  readonly hasJoined: boolean;
  /** Call it when files of the home may have changed. */
  filesChanged(): void;
}

export interface HostsOptions {
  readonly home: string;
  readonly database: Database;
  readonly log: Logger;
  /** Why shared secrets can't be read here; undefined: they can. */
  readonly unreadableSecrets: () => string | undefined;
}

/** The caller disposes the engine. */
export function createHosts({ home, database, log, unreadableSecrets }: HostsOptions): {
  readonly hosts: Hosts;
  readonly engine: LazyEngine;
} {
  let place: Place | undefined;
  let noting: Promise<void> = Promise.resolve();
  let channels: ChannelIdentities | undefined;
  const admit = async (engine: Parameters<typeof takePlace>[0]): Promise<Place> =>
    (place = await takePlace(engine, {
      home,
      hostFiles: createHostFiles(database),
      channels,
      unreadableSecrets: unreadableSecrets(),
    }));
  const engine = createLazyEngine(database, log, isOnPostgres(database) ? { admit } : {});
  return {
    engine,
    hosts: {
      async join(own) {
        channels = own;
        await engine.open();
      },
      status: () => readHosts(database, engine),
      get hasJoined() {
        return engine.opened !== undefined;
      },
      filesChanged() {
        // One after the other: the last one notes what is there now.
        noting = noting
          .then(() => (engine.opened ? place?.filesChanged() : undefined))
          .catch((cause: unknown) => log.warn('changed files were not noted', { cause }));
      },
    },
  };
}

/** Also for a process that is no host, without becoming one. */
export async function readHosts(
  database: Database,
  engine?: Pick<LazyEngine, 'opened'>,
): Promise<HostsStatus> {
  const opened = engine?.opened;
  const { hosts, queues } = opened
    ? { hosts: await opened.hosts(), queues: await opened.queues() }
    : await readStatus(database);
  if (!isOnPostgres(database)) return { hosts, queues };
  const files = new Map((await createHostFiles(database).list()).map((one) => [one.host, one.files]));
  return {
    hosts: hosts.map((host) => {
      const own = files.get(host.id);
      return own ? { ...host, files: hashOfAll(own) } : host;
    }),
    queues,
  };
}

async function readStatus(database: Database): Promise<EngineStatus> {
  const db = await database.existing();
  if (!db) return { hosts: [], queues: [] };
  if (isOnPostgres(database)) {
    const { readStatus: read } = await import('../engine/pgboss/status.ts');
    return await read(await database.pool());
  }
  const { readStatus: read } = await import('../engine/sqlite/status.ts');
  return await read(db);
}
