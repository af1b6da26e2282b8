import { type Claim, type Engine, PegboardError } from 'pegboard';
import { messageOf as reasonOf, whenAborted } from 'pegboard/kit';
import { isHoldUp } from '../failure.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { turnQueueOf, type TurnJob } from '../inbox/turn-queue.ts';
import { mayGoOn } from '../incoming/split-text.ts';
import { reportInterrupted } from '../outgoing/uncertain.ts';
import { messageOf, readJob } from './read-job.ts';
import { runJob } from './run-job.ts';

/** Turns of this channel on this host at a time. */
const mostTurns = 100;
/** Milliseconds that turns get to end when the host stops; then another one continues them. */
const graceMs = 20_000;
/** How often a turn may begin: hosts may have died of it. */
const maxAttempts = 10;

/** Answers the events in the queue of the channel, with other hosts, until it is disposed. */
export async function answerTurns(engine: Engine, parts: ChannelParts): Promise<AsyncDisposable> {
  const queue = turnQueueOf(parts.name);
  await engine.define([queue]);
  return engine.work(queue.name, { most: mostTurns, graceMs }, async (claim) => {
    try {
      await answer(claim, parts);
    } catch (cause) {
      // The channel stops before its claims do. Only then the turn is given back, for another host to begin at once.
      if (parts.signal.aborted) await whenAborted(claim.signal);
      const isStopped = claim.signal.aborted;
      const isTaken = cause instanceof PegboardError && cause.code === 'PEG_CLAIM_LOST';
      if (isTaken) parts.log.info('another process answers a message', { reason: cause.message });
      else if (!isStopped && (cause as Error | undefined)?.name !== 'AbortError')
        parts.log.error('an event could not be processed', { cause: reasonOf(cause) });
      throw cause;
    }
  });
}

async function answer(claim: Claim, parts: ChannelParts): Promise<void> {
  const { event: id, growsMs } = claim.job.data as TurnJob;
  const held: ChannelParts = { ...parts, events: parts.events.heldBy(claim), signal: claim.signal };
  const { events } = held;
  if (growsMs !== undefined && claim.job.attempt === 1) await untilComplete(id, growsMs, held);
  claim.signal.throwIfAborted();
  await parts.moved.refresh();
  const waiting = await events.find(id);
  const holdsOver = waiting ? await parts.holds.over(waiting) : [];
  const isHeld = holdsOver.some(({ probe }) => probe !== id);
  if (waiting && isHeld && (await parts.holds.keepBack(waiting, claim))) return;
  try {
    await answerNow(claim, held);
  } catch (thrown) {
    if (!waiting || !isHoldUp(thrown)) throw thrown;
    return await parts.holds.begin(waiting, thrown, claim);
  }
  const proven = holdsOver.filter(({ probe }) => probe === id);
  if (proven.length > 0) await parts.holds.end(proven);
}

/** Waits until nothing has joined the event for so long, or its text is complete. */
async function untilComplete(
  id: number,
  growsMs: number,
  { turns, driver, clock, signal }: Pick<ChannelParts, 'turns' | 'driver' | 'clock' | 'signal'>,
): Promise<void> {
  for (let known = 0; !signal.aborted;) {
    await clock.sleep(growsMs, signal);
    const joined = await turns.joinedTo(id);
    const last = joined.length > known ? messageOf(joined.at(-1)!, { driver }) : undefined;
    if (!last || (last.album === undefined && !mayGoOn(last, driver))) return;
    known = joined.length;
  }
}

async function answerNow({ job: { attempt, data } }: Claim, parts: ChannelParts): Promise<void> {
  const { event: id } = data as TurnJob;
  const { events } = parts;
  const event = await events.begin(id);
  if (!event || event.state === 'done' || (event.state === 'uncertain' && event.told === 1)) return;
  const job = await readJob(event, event.hasJoined ? await parts.turns.joinedTo(id) : [], parts);
  if (!job) return await events.done(id);
  if (attempt > maxAttempts && event.parts === null) return await reportInterrupted(job, parts);
  await runJob(job, parts);
}
