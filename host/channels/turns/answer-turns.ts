import type { Claim, Engine } from '../../api/engine.ts';
import { whenAborted } from '../../core/async/deadline.ts';
import { messageOf as reasonOf, PegboardError } from '../../core/errors.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { turnQueueOf, type TurnJob } from '../inbox/turn-queue.ts';
import { reportInterrupted } from '../outgoing/uncertain.ts';
import { readJob } from './read-job.ts';
import { runJob } from './run-job.ts';

/** Turns of this channel on this host at a time. */
const mostTurns = 100;
/** Milliseconds that turns get to end when the host stops; then another one continues them. */
const graceMs = 20_000;
/** How often a turn may begin: hosts may have died of it. */
const maxAttempts = 10;
/** Milliseconds to wait for the other pictures of an album. */
const albumDelayMs = 400;

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
  const { event: id, isAlbum = false } = claim.job.data as TurnJob;
  const held: ChannelParts = { ...parts, events: parts.events.heldBy(claim), signal: claim.signal };
  const { events } = held;
  if (isAlbum && claim.job.attempt === 1) await parts.clock.sleep(albumDelayMs, claim.signal);
  claim.signal.throwIfAborted();
  const event = await events.begin(id);
  if (!event || event.state === 'done' || (event.state === 'uncertain' && event.told === 1)) return;
  const job = await readJob(event, event.hasJoined ? await held.turns.joinedTo(id) : [], held);
  if (!job) return await events.done(id);
  if (claim.job.attempt > maxAttempts && event.parts === null) return await reportInterrupted(job, held);
  await runJob(job, held);
}
