import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Engine } from '../../host/api/engine.ts';
import { createDatabase } from '../../host/store/database/database.ts';
import { createPostgresDatabase } from '../../host/store/database/postgres/database.ts';
import { openEngineOn } from '../../test/kit/engine/open-engine.ts';
import { hasPostgres } from '../../test/kit/postgres-programs.ts';
import { startPostgres } from '../../test/kit/postgres.ts';
import { environmentOf } from '../../test/plugins/builtin-telegram/bot-home.ts';
import { startFakeBotApi } from '../../test/kit/telegram/fake-bot-api.ts';
import { openHome } from '../kit/home.ts';
import { packageEntry } from '../kit/installation.ts';
import { cpuTime, startProcess } from '../kit/process.ts';
import { now, queue, type EndedJob } from '../kit/queue-jobs.ts';
import type { Row, Section } from '../kit/section.ts';
import { median, quantile, timed } from '../kit/statistics.ts';

const jobs = 4_000;
const keys = 200;
const perTransaction = 200;
const singles = 60;
const settlingMs = 10_000;
const idleMs = 20_000;

export const engine: Section = {
  name: 'engine',
  title: 'Queues of jobs',
  about: `One host in a process of its own works on a queue that is ordered by key, sixteen jobs at a time; each job ends together with a row that it writes. Another process adds ${jobs.toLocaleString('en')} jobs in ${keys} keys, ${perTransaction} in a transaction, and then single ones with pauses between them; the host also adds single ones itself. Direct: as many bare rows, inserted in the same transactions into the same database. SQLite is the file of a home; Postgres is a server on this machine that writes each commit to the disk, and its jobs are pg-boss's. The CPU time is the host's, without the server's; the idle one is of a whole \`pegboard start\` with all queues and roles, and a Telegram bot that nobody writes to.`,
  async measure() {
    return [...(await onSqlite()), ...(hasPostgres ? await onPostgres() : [])];
  },
};

async function onSqlite(): Promise<readonly Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'pegboard-bench-'));
  const file = join(folder.path, 'pegboard.db');
  await using database = createDatabase(file);
  return rowsOf('SQLite', await measure(file, database), await measureIdle(), {});
}

async function onPostgres(): Promise<readonly Row[]> {
  await using server = await startPostgres({ fsync: true });
  const url = await server.createDatabase();
  await using database = createPostgresDatabase(url);
  return rowsOf('Postgres', await measure(url, database), await measureIdle(await server.createDatabase()), {
    throughput: { of: 'value', atLeast: 200 },
    single: { of: 'value', atMost: 50 },
    idle: { of: 'value', atMost: 25 },
  });
}

interface Figures {
  readonly jobsPerSecond: number;
  readonly insertsPerSecond: number;
  readonly cpuPerJob: number;
  /** Milliseconds of single jobs, from adding to their beginning and to their end. */
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** The same, added by the host that works. */
  readonly ownEnds: readonly number[];
  readonly inserts: readonly number[];
}

type Targets = Partial<Record<'throughput' | 'single' | 'idle', Row['target']>>;

function rowsOf(where: string, figures: Figures, idle: number, targets: Targets): readonly Row[] {
  const { begins, ends, ownEnds, inserts } = figures;
  const row = (what: string, unit: string, pegboard: number, more: Partial<Row> = {}): Row => ({
    what: `${where}: ${what}`,
    unit,
    pegboard,
    ...more,
  });
  const target = (name: keyof Targets): Partial<Row> =>
    targets[name] === undefined ? {} : { target: targets[name] };
  return [
    row('added and run, a second', 'jobs', figures.jobsPerSecond, {
      direct: figures.insertsPerSecond,
      ...target('throughput'),
    }),
    row('CPU time of a job', 'ms', figures.cpuPerJob),
    row('from adding to the beginning, median', 'ms', median(begins)),
    row('from adding to the beginning, 95 %', 'ms', quantile(begins, 0.95)),
    row('one job to its end, median', 'ms', median(ends), { direct: median(inserts), ...target('single') }),
    row('one job to its end, added by its host, median', 'ms', median(ownEnds), {
      direct: median(inserts),
      ...target('single'),
    }),
    row('CPU time of an idle `pegboard start`, in a second', 'ms', idle, target('idle')),
  ];
}

async function measure(
  url: string,
  database: ReturnType<typeof createDatabase> | ReturnType<typeof createPostgresDatabase>,
): Promise<Figures> {
  const db = (await database.open()) as Kysely<any>;
  for (const table of ['bench_done', 'bench_rows'])
    await sql`create table ${sql.table(table)} (n integer not null)`.execute(db);
  const feeder = await openEngineOn(database);
  await using _feeder = feeder;
  await feeder.define([queue]);
  await using host = await startHost(url);
  const add = (from: number, count: number): Promise<void> =>
    feeder.transaction(async (transaction) => {
      for (let n = from; n < from + count; n++)
        await feeder.add(transaction, { queue: queue.name, key: String(n % keys), data: { n } });
    });
  await untilEnded(host, 1_000, () => addAll(add, -1_000, 0));
  const insertsPerSecond = await insertAll(feeder);

  const cpuBefore = cpuTime(host.pid);
  const ms = await timed(() => untilEnded(host, jobs, () => addAll(add, 0, jobs)));
  const cpuPerJob = (cpuTime(host.pid) - cpuBefore) / jobs;

  const begins: number[] = [];
  const ends: number[] = [];
  const ownEnds: number[] = [];
  const inserts: number[] = [];
  for (let n = jobs; n < jobs + singles; n++) {
    const addedAt = now();
    const [ended] = await untilEnded(host, 1, () => add(n, 1));
    begins.push(ended!.begunAt - addedAt);
    ends.push(ended!.endedAt - addedAt);
    await delay(50);
    const ownAt = now();
    const [own] = await untilEnded(host, 1, () => void host.child.send(n));
    ownEnds.push(own!.endedAt - ownAt);
    inserts.push(await timed(() => insert(feeder, 1)));
    await delay(50);
  }
  return {
    jobsPerSecond: (jobs * 1000) / ms,
    insertsPerSecond,
    cpuPerJob,
    begins,
    ends,
    ownEnds,
    inserts,
  };
}

/** Milliseconds a second of a host with all queues and roles, and a bot that nobody writes to. `state`: not in its file. */
async function measureIdle(state?: string): Promise<number> {
  await using telegram = await startFakeBotApi();
  using home = openHome({ ...(state !== undefined && { state }) });
  const environment = { ...process.env, ...environmentOf(telegram), HOME: home.folder };
  await using host = startProcess([packageEntry(), 'start', '--home', home.folder], environment);
  await host.printed(/running/);
  await delay(settlingMs);
  const before = cpuTime(host.pid);
  const ms = await timed(() => delay(idleMs));
  return ((cpuTime(host.pid) - before) * 1000) / ms;
}

interface BenchHost extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
}

async function startHost(url: string): Promise<BenchHost> {
  const program = join(import.meta.dirname, '../programs/work-on-queue.ts');
  const child = fork(program, [url], { execArgv: ['--no-warnings'] });
  await once(child, 'message');
  return {
    child,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Does something, and waits until as many jobs have ended since. */
async function untilEnded(
  { child }: BenchHost,
  count: number,
  work: () => unknown,
): Promise<readonly EndedJob[]> {
  const ended: EndedJob[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const note = (job: EndedJob): void => {
    if (ended.push(job) === count) resolve();
  };
  child.on('message', note);
  await work();
  await promise;
  child.off('message', note);
  return ended;
}

async function addAll(
  add: (from: number, count: number) => Promise<void>,
  from: number,
  to: number,
): Promise<void> {
  for (let n = from; n < to; n += perTransaction) await add(n, perTransaction);
}

const insert = (feeder: Engine, count: number): Promise<void> =>
  feeder.transaction(async (transaction: Kysely<any>) => {
    for (let n = 0; n < count; n++) await sql`insert into bench_rows values (${n})`.execute(transaction);
  });

/** A second. */
async function insertAll(feeder: Engine): Promise<number> {
  const ms = await timed(async () => {
    for (let n = 0; n < jobs; n += perTransaction) await insert(feeder, perTransaction);
  });
  return (jobs * 1000) / ms;
}
