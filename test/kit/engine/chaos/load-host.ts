/**
 * `node load-host.ts URL NAME EVENTS`: one of the hosts that share the load. What it does beyond its database is a line
 * in the file EVENTS: of an effect, the file is the outer world.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { Claim, Engine, JobHandler } from '../../../../host/api/engine.ts';
import { claimEndOf } from '../../../../host/engine/claim-lost.ts';
import { openEngine } from '../open-engine.ts';
import { queues, role, type LoadEvent, type MessageJob, type RunJob } from './load.ts';

type Tx = Transaction<unknown>;

const [, , url, name, events] = process.argv as unknown as [string, string, string, string, string];
const me = `${name}/${process.pid}`;
/** Milliseconds between two looks for due schedules, and for messages. */
const tickMs = 60;

const report = (event: Omit<LoadEvent, 'host' | 'at'>): void =>
  appendFileSync(events, `${JSON.stringify({ ...event, host: me, at: Date.now() })}\n`);
const about = ({ job: { queue, id, attempt } }: Claim) => ({ queue, job: id, attempt });
const someMs = (most: number): Promise<void> => delay(Math.random() * most);

/** The server may not answer yet. */
async function openPatiently(): Promise<Engine> {
  for (;;) {
    try {
      const { engine } = await openEngine(url, (cause) => report({ kind: 'error', what: String(cause) }));
      await engine.define(Object.values(queues));
      return engine;
    } catch (cause) {
      report({ kind: 'error', what: String(cause) });
      await delay(500);
    }
  }
}
const engine = await openPatiently();

const reported =
  (work: JobHandler): JobHandler =>
  async (claim) => {
    report({ kind: 'claim', ...about(claim) });
    try {
      await work(claim);
    } catch (cause) {
      if (claimEndOf(cause) === undefined) report({ kind: 'error', what: String(cause) });
      else report({ kind: 'refused', ...about(claim) });
      throw cause;
    }
  };

/** What can't be undone. */
function act(claim: Claim, what: string): void {
  if (!claim.isHeld()) throw new Error('the claim may be lost');
  report({ kind: 'effect', what, ...about(claim) });
}

/** Whether an earlier attempt has begun what can't be undone. Otherwise notes that this one begins. */
async function mayHaveActed(claim: Claim, table: string, where: ReturnType<typeof sql>): Promise<boolean> {
  return await claim.write(async (transaction: Tx) => {
    const row = sql`${sql.table(table)} set begun = begun + 1 where ${where}`;
    const { rows } = await sql<{ begun: number }>`update ${row} returning begun`.execute(transaction);
    return rows[0]!.begun > 1;
  });
}

const answer = reported(async (claim) => {
  const { update, conversation, n } = claim.job.data as MessageJob;
  const end = (state: string) =>
    claim.end({ state: 'done' }, async (transaction: Tx) => {
      await sql`insert into load_answers (conversation, n, state, job, attempt, host)
        values (${conversation}, ${n}, ${state}, ${claim.job.id}, ${claim.job.attempt}, ${me})`.execute(
        transaction,
      );
    });
  // A turn takes its time before it does anything; some take long.
  await (n % 10 === 3 ? delay(500) : someMs(30));
  if (await mayHaveActed(claim, 'load_inbox', sql`id = ${update}`)) return await end('uncertain');
  act(claim, `${conversation}/${n}`);
  await someMs(30);
  await end('done');
});

const run = reported(async (claim) => {
  const { schedule, due } = claim.job.data as RunJob;
  const own = sql`schedule = ${schedule} and due = ${due}`;
  const end = (state: string) =>
    claim.end({ state: 'done' }, async (transaction: Tx) => {
      await sql`update load_runs set state = ${state} where ${own}`.execute(transaction);
    });
  if (await mayHaveActed(claim, 'load_runs', own)) return await end('uncertain');
  act(claim, `${schedule}/${due}`);
  await someMs(15);
  await end('done');
});

/** Takes new messages over, as from a service that may be asked by one host alone. */
const receive = reported(async (claim) => {
  while (!claim.signal.aborted) {
    if (claim.isHeld()) report({ kind: 'act', ...about(claim) });
    await claim.write(async (transaction: Tx) => {
      await sql`insert into load_role_writes (host, job, attempt)
        values (${me}, ${claim.job.id}, ${claim.job.attempt})`.execute(transaction);
      const { rows } = await sql<{ id: number; conversation: number; n: number }>`
        select * from load_updates where id > (select coalesce(max(id), 0) from load_inbox) order by id limit 50
      `.execute(transaction);
      for (const { id, conversation, n } of rows) {
        await sql`insert into load_inbox values (${id}, ${conversation}, ${n}, 0)`.execute(transaction);
        const data: MessageJob = { update: id, conversation, n };
        await engine.add(transaction, { queue: queues.messages.name, key: String(conversation), data });
      }
    });
    await delay(tickMs);
  }
});

interface Schedule {
  readonly id: number;
  readonly every: number;
  readonly handled_until: number;
}

/** Of a schedule in one transaction: its claim keeps other hosts waiting. */
const mostAtOnce = 20;

/** Each host claims what is due: an occurrence has a row of its own, and its job is in the same transaction. */
async function claimDue(): Promise<void> {
  const now = Date.now();
  const due = await engine.transaction(
    async (transaction: Tx) =>
      await sql<Schedule>`select * from load_schedules where handled_until + every <= ${now}`.execute(
        transaction,
      ),
  );
  for (const { id, every, handled_until: from } of due.rows) {
    await engine.transaction(async (transaction: Tx) => {
      const last = Math.min(now, from + mostAtOnce * every);
      let until = from;
      for (let moment = until + every; moment <= last; moment += every) {
        const { rows } = await sql`insert into load_runs values (${id}, ${moment}, 'open', 0, ${now})
          on conflict (schedule, due) do nothing returning due`.execute(transaction);
        const data: RunJob = { schedule: id, due: moment };
        if (rows.length > 0) await engine.add(transaction, { queue: queues.runs.name, data });
        until = moment;
      }
      await sql`update load_schedules set handled_until = ${until}
        where id = ${id} and handled_until < ${until}`.execute(transaction);
    });
  }
}

engine.work(queues.messages.name, { most: 16 }, answer);
// As many as the schedules of a home.
engine.work(queues.runs.name, { most: 4 }, run);
engine.role(role, receive);
report({ kind: 'ready' });
for (;;) {
  await claimDue().catch((cause: unknown) => report({ kind: 'error', what: String(cause) }));
  await delay(tickMs * (0.8 + Math.random() * 0.4));
}
