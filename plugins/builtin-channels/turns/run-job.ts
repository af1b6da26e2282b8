import { type ChannelDriver, parseJson, PegboardError, toJson } from 'pegboard';
import type { ChannelParts } from '../channel-parts.ts';
import { runChatCommand } from '../commands/chat-commands.ts';
import { commandOf } from '../commands/read-command.ts';
import { unsupportedIn } from '../incoming/attached.ts';
import { hearRecordings, isHeard } from '../incoming/hear-recordings.ts';
import { readMessages } from '../incoming/read-messages.ts';
import { deliverParts, type Delivery } from '../outgoing/deliver-parts.ts';
import { readFailed } from '../outgoing/failed-parts.ts';
import { isNewMessage } from '../outgoing/send-part.ts';
import { textParts, type OutgoingPart } from '../outgoing/parts.ts';
import { reportFailed, reportInterrupted } from '../outgoing/uncertain.ts';
import type { Job } from './job.ts';
import { replyTarget } from './reply-target.ts';
import { runTurn } from './run-turn.ts';
import { speakAnswer } from './speak-answer.ts';

/**
 * Processes an event from its stored state to completion. Each step is stored before the next begins, so that it can be
 * resumed after a crash. Rejects when the host stops.
 */
export async function runJob(job: Job, parts: ChannelParts): Promise<void> {
  const { events } = parts;
  const { event } = job;
  let delivery = readDelivery(job, parts.driver);
  if (delivery && event.sending === 1) {
    const { sent, failed } = delivery;
    await events.change(event.id, { sending: 0, sent, failed: toJson(failed) });
  }

  if (event.state === 'uncertain') {
    return delivery
      ? await reportFailed(job, delivery.parts, delivery.failed, parts)
      : await reportInterrupted(job, parts);
  }
  if (!delivery) {
    const answered = await answer(job, parts).catch(unlessUncertain);
    if (!answered) return await reportInterrupted(job, parts);
    const isSending = answered[0] !== undefined && isNewMessage(answered[0], parts.driver);
    delivery = { parts: answered, sent: 0, failed: [], isSending };
    await events.answered(event, toJson(answered), isSending);
  }
  const failed = await deliverParts(event.id, delivery, job.address, parts);
  if (failed.length > 0) await reportFailed(job, delivery.parts, failed, parts);
  else await events.done(event.id);
}

const unlessUncertain = (thrown: unknown): undefined => {
  if (!(thrown instanceof PegboardError && thrown.code === 'PEG_UNCERTAIN')) throw thrown;
};

/** Undefined: there is no answer yet. A part that was being sent when the process ended may have arrived. */
function readDelivery(
  { event }: Job,
  { ignoresRepeats }: Pick<ChannelDriver, 'ignoresRepeats'>,
): Delivery | undefined {
  if (event.parts === null) return undefined;
  const parts = parseJson(event.parts) as readonly OutgoingPart[];
  const { sent } = event;
  const failed = readFailed(event);
  return event.sending === 1 && ignoresRepeats !== true
    ? { parts, sent: sent + 1, failed: [...failed, { part: sent }] }
    : { parts, sent, failed };
}

async function answer(job: Job, parts: ChannelParts): Promise<readonly OutgoingPart[]> {
  const [first] = job.messages;
  const { text = '', untrusted = [] } = job;
  if (!first) return await runTurn(job, { text, untrusted }, parts);
  const command = commandOf(first);
  const sender = { id: first.from?.id, isPrivate: job.isPrivate };
  const reply =
    command && (await runChatCommand(command, { conversation: job.event.conversation, sender }, parts));
  const say = async (text: string): Promise<readonly OutgoingPart[]> =>
    textParts(text, parts.driver, { replyTo: await replyTarget(job, parts) });
  if (reply !== undefined) return await say(reply);
  const unsupported = unsupportedIn(first);
  if (unsupported !== undefined && first.text === '' && !isHeard(first, parts)) return await say(unsupported);
  const heard = await hearRecordings(job.messages, parts);
  const [problem] = heard.problems;
  if (problem !== undefined && heard.transcripts.length === 0 && first.text === '') return await say(problem);
  const answered = await runTurn(job, await readMessages(job, heard, parts), parts);
  const isSpoken = heard.transcripts.length > 0 && parts.context.speech.speaks;
  return isSpoken ? [...answered, ...(await speakAnswer(answered, parts))] : answered;
}
