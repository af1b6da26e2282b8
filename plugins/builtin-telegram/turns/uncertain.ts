import type { Logger } from 'pegboard';
import type { Allowed } from '../access/allowed.ts';
import type { Asks } from '../asks/asks.ts';
import type { BotApi } from '../bot-api.ts';
import type { Updates } from '../inbox/updates.ts';
import { toPayload, type ChatAddress } from '../incoming/conversation.ts';
import { againData, noticeOf, type FailedPart } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';
import { sendPart } from '../outgoing/send-part.ts';
import { perform, TelegramFailure } from '../perform.ts';
import { findDraft } from './find-draft.ts';
import type { Job } from './job.ts';

export interface UncertainServices {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly messages: Messages;
  readonly asks: Asks;
  readonly allowed: Allowed;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const acted =
  '⚠️ Pegboard was interrupted while it worked on this message, after it had begun to do something. I did not repeat it. Please look what was done, and write again if anything is missing.';

/** Marks the outcome as unknown and reports it to the chat, rather twice than never. */
export async function tellActed(job: Job, services: UncertainServices): Promise<void> {
  const { updates, log } = services;
  await updates.change(job.update.id, { state: 'uncertain' });
  log.warn('it is uncertain what became of a message', { chat: job.place.chat, of: job.message });
  const draft = await findDraft(job, services);
  if (draft !== undefined)
    await sendPart({ kind: 'delete', message: draft }, { ...services, place: job.place });
  await tell(job, acted, {}, services);
  await services.asks.close(job.update.id);
  await updates.change(job.update.id, { told: 1 });
}

/** Says what did not arrive as it should, and offers to send again what may not have arrived. */
export async function tellFailed(
  job: Job,
  parts: readonly OutgoingPart[],
  failed: readonly FailedPart[],
  services: UncertainServices,
): Promise<void> {
  const { updates } = services;
  const { id } = job.update;
  const isDoubtful = failed.some(({ refused }) => refused === undefined);
  if (isDoubtful) await updates.change(id, { state: 'uncertain' });
  const button = { text: 'Send it again', callback_data: againData(id) };
  const keyboard = isDoubtful ? { reply_markup: { inline_keyboard: [[button]] } } : {};
  const notice = noticeOf(parts, failed);
  if (notice !== undefined) await tell(job, notice, keyboard, services);
  await updates.change(id, isDoubtful ? { told: 1 } : { state: 'done', parts: null });
}

/** Whoever wrote, and the owner. */
async function tell(
  { place, message }: Job,
  text: string,
  keyboard: object,
  { api, messages, allowed, signal, log }: UncertainServices,
): Promise<void> {
  const send = async (to: ChatAddress, payload: { readonly text: string }): Promise<void> => {
    try {
      const sent = await perform(() => api.raw.sendMessage({ ...toPayload(to), ...payload }), {
        signal,
        repeatable: true,
      });
      await messages.keep({ place: to, id: sent.message_id, own: true, text: payload.text });
    } catch (thrown) {
      if (!(thrown instanceof TelegramFailure)) throw thrown;
      log.warn('nobody could be told', { reason: thrown.failure.reason });
    }
  };
  const reply_parameters = { message_id: message, allow_sending_without_reply: true };
  const reply = { text, reply_parameters, ...keyboard };
  await send(place, reply);
  const owner = await allowed.owner();
  if (owner !== undefined && owner !== place.chat)
    await send({ chat: owner }, { text: `${text} (In the chat ${place.chat}.)` });
}
