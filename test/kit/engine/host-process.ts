/**
 * A host of the engine in a process of its own, so that it can be killed and frozen. It does what its parent's commands and
 * the data of its jobs say, and reports everything that happens.
 */
import { flushCompileCache } from 'node:module';
import type { Kysely } from 'kysely';
import type { Claim } from '../../../host/api/engine.ts';
import { claimEndOf } from '../../../host/engine/claim-lost.ts';
import { openEngine } from './open-engine.ts';
import type { Command, HostEvent, Task } from './protocol.ts';

interface Tables {
  readonly own: { readonly name: string; readonly n: number };
}

const [, , url] = process.argv;
const errors: string[] = [];
const { engine, close } = await openEngine(url!, (cause) => errors.push(String(cause)));
const running = new Map<string, AsyncDisposable>();
/** Claims whose handlers never end. */
const kept: Claim[] = [];

const report = (event: HostEvent): void => void process.send?.(event);
const write = (name: string, n: number) => async (transaction: Kysely<Tables>) =>
  void (await transaction.insertInto('own').values({ name, n }).execute());
const aborted = async ({ signal }: Claim): Promise<void> => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
};
const outcomeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'written',
    (thrown: unknown) => claimEndOf(thrown) ?? String(thrown),
  );

async function perform(claim: Claim): Promise<void> {
  const { id, attempt, key } = claim.job;
  const { name, n, does, ms = 0 } = claim.job.data as Task;
  const about = { job: id, attempt, key, name, n };
  report({ event: 'began', ...about });
  if (does === 'sleep') await new Promise((resolve) => setTimeout(resolve, ms));
  if (does === 'fail') throw new Error('it fails');
  if (does === 'die') process.kill(process.pid, 'SIGKILL');
  if (does === 'hold') {
    kept.push(claim);
    await aborted(claim);
    report({ event: 'aborted', why: claimEndOf(claim.signal.reason) ?? 'no reason', ...about });
    report({ event: 'wrote', outcome: await outcomeOf(claim.write(write('late', n))), ...about });
    return;
  }
  if (does === 'hang') {
    kept.push(claim);
    await new Promise(() => {});
  }
  if (does === 'stop-in-transaction') {
    await claim.write(async (transaction) => {
      await write('stopped', n)(transaction as never);
      process.kill(process.pid, 'SIGSTOP');
    });
  }
  if (does === 'power-cut' && attempt === 1) {
    await claim.end({ state: 'done' }, async (transaction) => {
      await write(name, 1)(transaction as never);
      throw new Error('power cut');
    });
  }
  await claim.end({ state: 'done', result: { n } }, write(name, attempt) as never);
  report({ event: 'ended', ...about });
}

type Commands = { readonly [Name in Command['do']]: (command: Extract<Command, { do: Name }>) => unknown };

const commands: Commands = {
  define: ({ queues }) => engine.define(queues),
  table: () =>
    engine.transaction(async (transaction: Kysely<Tables>) => {
      await transaction.schema
        .createTable('own')
        .ifNotExists()
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('n', 'integer', (column) => column.notNull())
        .execute();
    }),
  rows: ({ name }) =>
    engine.transaction(async (transaction: Kysely<Tables>) => {
      const rows = transaction.selectFrom('own').select('n').where('name', '=', name).orderBy('n');
      return (await rows.execute()).map(({ n }) => n);
    }),
  add: ({ jobs, fails = false }) =>
    engine.transaction(async (transaction) => {
      const ids: string[] = [];
      for (const job of jobs) ids.push(await engine.add(transaction, job));
      if (fails) throw new Error('rolled back');
      return ids;
    }),
  work({ queue, most, graceMs }) {
    running.set(queue, engine.work(queue, { most, ...(graceMs !== undefined && { graceMs }) }, perform));
  },
  role({ name }) {
    running.set(
      name,
      engine.role(name, async (claim) => {
        const about = { job: claim.job.id, attempt: claim.job.attempt, key: undefined, name, n: 0 };
        report({ event: 'began', ...about });
        for (let n = 0; !claim.signal.aborted; n++) {
          await claim.write(write(name, n) as never);
          report({ event: 'wrote', outcome: 'written', ...about });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        report({ event: 'ended', ...about });
      }),
    );
  },
  async stop({ name }) {
    await running.get(name)?.[Symbol.asyncDispose]();
    running.delete(name);
  },
  cancel: ({ queue, job }) => engine.transaction((transaction) => engine.cancel(transaction, queue, job)),
  find: ({ queue, job }) => engine.find(queue, job),
  hosts: () => engine.hosts(),
  queues: () => engine.queues(),
  /** What those do that the host no longer has. */
  async late() {
    const [claim] = kept;
    return {
      isHeld: claim!.isHeld(),
      write: await outcomeOf(claim!.write(write('late', 1) as never)),
      end: await outcomeOf(claim!.end({ state: 'done' }, write('late', 2) as never)),
    };
  },
  errors: () => errors,
  async close() {
    await engine[Symbol.asyncDispose]();
    await close();
  },
};

process.on('message', (command: Command & { readonly id: number }) => {
  const run = commands[command.do] as unknown as (command: Command) => unknown;
  void Promise.resolve()
    .then(() => run(command))
    .then(
      (value) => report({ event: 'answer', id: command.id, value }),
      (thrown: unknown) => report({ event: 'answer', id: command.id, error: String(thrown) }),
    )
    .finally(() => {
      if (command.do === 'close') process.disconnect?.();
    });
});
// Node writes it at an orderly end, which no host has: each would compile everything again.
flushCompileCache();
report({ event: 'ready' });
