/** `node work-on-queue.ts URL`: a host with one queue. It adds the jobs that its parent names, and reports each end. */
import { sql, type Transaction } from 'kysely';
import { openEngine } from '../../test/kit/engine/open-engine.ts';
import { now, queue, type EndedJob } from '../kit/queue-jobs.ts';

const [, , url] = process.argv;
const { engine } = await openEngine(url!, (cause) => console.error(cause));
await engine.define([queue]);
engine.work(queue.name, { most: 16 }, async (claim) => {
  const begunAt = now();
  const { n } = claim.job.data as { n: number };
  await claim.end({ state: 'done' }, async (transaction: Transaction<unknown>) => {
    await sql`insert into bench_done values (${n})`.execute(transaction);
  });
  process.send!({ n, begunAt, endedAt: now() } satisfies EndedJob);
});
process.on('message', (n: number) => {
  void engine.transaction((transaction) =>
    engine.add(transaction, { queue: queue.name, key: `own ${n}`, data: { n } }),
  );
});
process.send!('ready');
