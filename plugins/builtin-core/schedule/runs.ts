import type { Kysely, Updateable } from 'kysely';
import type { Clock } from 'pegboard';
import type { Claim, Deliver, History, Logger, Origin } from 'pegboard';
import { untilEnded } from '../background/stopped.ts';
import { readOrigins, storedOrigins } from '../background/origin.ts';
import { toIso, type RunJob } from './claims.ts';
import { conversationOf, gaveUp, send, type Ending, type Perform } from './perform.ts';
import type { ScheduleRun, Schedule, ScheduleStore } from './store.ts';
import type { RunsTable, ScheduleTables } from './tables.ts';

export interface RunOptions {
  readonly store: ScheduleStore;
  readonly perform: Perform;
  readonly deliver: Deliver;
  readonly history: Pick<History, 'note'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often a run may begin: hosts may have died of it. */
const maxAttempts = 5;

/** Handles the jobs of `runQueue`: performs a claimed run, and sends its reply. Either may have begun on another host. */
export function createRuns(options: RunOptions): (claim: Claim) => Promise<void> {
  const { store, clock, perform } = options;
  return async (claim) => {
    const { run: id } = claim.job.data as RunJob;
    let run = await store.findRun(id);
    const schedule = run && (await store.find(run.schedule_id));
    if (!run || !schedule) return;
    if (run.state === 'running') {
      const occurrence = { due: Date.parse(run.due_at), missed: run.missed };
      const ending =
        claim.job.attempt > maxAttempts
          ? gaveUp(schedule)
          : await perform(id, schedule, occurrence, claim.signal);
      // The host stops, and the next one continues.
      if (!ending) return await untilEnded(claim);
      await claim.write(change(id, endOf(ending, clock.now())));
      run = (await store.findRun(id))!;
    }
    if (run.delivery === 'pending') await sendReply(run, schedule, claim, options);
  };
}

async function sendReply(
  run: ScheduleRun,
  schedule: Schedule,
  claim: Claim,
  { deliver, log, history }: RunOptions,
): Promise<void> {
  const text = unsentReply(run);
  await claim.write(change(run.id, { sending: 1 }));
  const error = await send(schedule, text, { deliver, log, signal: claim.signal });
  if (error === undefined) {
    const untrusted = readOrigins(run.untrusted);
    await history.note(conversationOf(schedule), noteOf(schedule, { text, untrusted }));
  } else if (claim.signal.aborted) return;
  const delivery = error === undefined ? 'delivered' : 'failed';
  await claim.end({ state: 'done' }, change(run.id, { delivery, delivery_error: error ?? null }));
}

const endOf = (ending: Ending, now: number): Updateable<RunsTable> => {
  const { state, reply = null, error = null, delivery, untrusted } = ending;
  return { state, reply, error, delivery, untrusted: storedOrigins(untrusted), ended_at: toIso(now) };
};

const change =
  (run: number, changes: Updateable<RunsTable>) =>
  async (transaction: Kysely<ScheduleTables>): Promise<void> => {
    await transaction.updateTable('scheduler_runs').set(changes).where('id', '=', run).execute();
  };

/** Added to the chat's history, so that later turns see the whole reply and its origins. */
const noteOf = (
  { id }: Schedule,
  { text, untrusted }: { readonly text: string; readonly untrusted: readonly Origin[] },
): Parameters<History['note']>[1] => ({ text: `[Sent by schedule ${id}]\n${text}`, untrusted });

/** A host that died may have sent the reply already. */
const unsentReply = ({ reply, sending }: ScheduleRun): string =>
  sending === 0
    ? (reply ?? '')
    : `${reply ?? ''}\n\n(Pegboard was stopped while this was being sent; it may come a second time.)`;
