import type { Kysely } from 'kysely';
import type { EngineHost, QueueDefinition } from '../../api/engine.ts';
import { isAbandoned, thisProcess } from '../../core/processes/owner.ts';
import { nameOfHost, renewalMs, roleOf, silenceMs } from '../driver.ts';
import type { EngineTables } from './tables.ts';

export interface HostsOptions {
  readonly db: Kysely<EngineTables>;
  /** The id of this process. */
  readonly me: string;
  readonly definitions: ReadonlyMap<string, QueueDefinition>;
  /** Called when jobs of dead processes may begin. */
  readonly onFreed: () => void;
  readonly onError: (cause: unknown) => void;
}

/** Disposing removes this process. */
export interface Hosts extends AsyncDisposable {
  list(): Promise<readonly EngineHost[]>;
}

/** Milliseconds between two deletions of old jobs. */
const tidyMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * Shows that this process lives, and frees the jobs of others that died or are silent. Frees those of dead ones before it
 * resolves.
 */
export async function watchHosts(options: HostsOptions): Promise<Hosts> {
  const { db, me, onError } = options;
  await show(db, me);
  const silence = createSilence();
  const looks = async (): Promise<void> => {
    await show(db, me);
    await freeJobs(options, silence);
  };
  let looking: Promise<void> | undefined;
  const look = (): void => {
    looking ??= looks()
      .catch(onError)
      .finally(() => (looking = undefined));
  };
  await freeJobs(options, silence);
  const tidy = (): void => void forgetOld(options).catch(onError);
  const timers = [setInterval(look, renewalMs), setInterval(tidy, tidyMs)];
  for (const timer of timers) timer.unref();
  tidy();
  return {
    list: () => listHosts(db, me),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      await looking;
      await db.deleteFrom('engine_hosts').where('id', '=', me).execute();
    },
  };
}

/** `me`: the id of this process, if it is one of them. */
export async function listHosts(db: Kysely<EngineTables>, me?: string): Promise<readonly EngineHost[]> {
  const rows = await db.selectFrom('engine_hosts').selectAll().execute();
  const roles = await db
    .selectFrom('engine_jobs')
    .select(['queue', 'host'])
    .where('state', '=', 'running')
    .where('queue', 'like', 'role.%')
    .orderBy('queue')
    .execute();
  return rows.map(({ id, owner, seen_at }) => {
    const seenAt = new Date(seen_at).toISOString();
    return {
      id: nameOfHost(owner),
      seenAt,
      isLive: id === me || (Date.now() - seen_at < silenceMs && !isAbandoned(owner, seenAt)),
      isThisOne: id === me,
      roles: roles.filter(({ host }) => host === id).map(({ queue }) => roleOf(queue)!),
    };
  });
}

/** Another process may have removed the row of one that stood still for long. */
async function show(db: Kysely<EngineTables>, me: string): Promise<void> {
  const row = { owner: thisProcess, seen_at: Date.now() };
  await db
    .insertInto('engine_hosts')
    .values({ id: me, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function freeJobs({ db, me, onFreed }: HostsOptions, silence: Silence): Promise<void> {
  const others = await db.selectFrom('engine_hosts').selectAll().where('id', '!=', me).execute();
  for (const { id, owner, seen_at } of others) {
    const isDead = isAbandoned(owner, new Date().toISOString());
    if (!isDead && !silence.isLong(id, seen_at)) continue;
    const freed = await db.transaction().execute(async (transaction) => {
      if (isDead) await transaction.deleteFrom('engine_hosts').where('id', '=', id).execute();
      return await transaction
        .updateTable('engine_jobs')
        .set({ state: 'waiting', host: null })
        .where('host', '=', id)
        .where('state', '=', 'running')
        .returning('id')
        .execute();
    });
    if (freed.length > 0) onFreed();
  }
}

interface Silence {
  /** Whether a process has shown no sign of life for as long as this one has watched it. */
  isLong(id: string, seenAt: number): boolean;
}

/** Measured by this process's own clock, which stands still with the machine. */
function createSilence(): Silence {
  const since = new Map<string, { readonly seenAt: number; readonly at: number }>();
  return {
    isLong(id, seenAt) {
      const known = since.get(id);
      if (known?.seenAt !== seenAt) {
        since.set(id, { seenAt, at: performance.now() });
        return false;
      }
      return performance.now() - known.at > silenceMs;
    },
  };
}

/** Also processes of other machines, of which nobody can say that they died. */
async function forgetOld({ db, me, definitions }: HostsOptions): Promise<void> {
  const now = Date.now();
  for (const { name, keptDays } of definitions.values()) {
    await db
      .deleteFrom('engine_jobs')
      .where('queue', '=', name)
      .where('ended_at', '<', now - keptDays * dayMs)
      .execute();
  }
  await db
    .deleteFrom('engine_hosts')
    .where('seen_at', '<', now - dayMs)
    .where('id', '!=', me)
    .execute();
}
