import type { Logger } from 'pegboard';
import type { Allowed } from '../access/allowed.ts';
import type { BotApi } from '../bot-api.ts';
import type { Updates } from '../inbox/updates.ts';
import { toPayload } from '../incoming/conversation.ts';
import { perform, TelegramFailure } from '../perform.ts';
import type { Job } from './job.ts';

export interface UncertainServices {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly allowed: Allowed;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const notice = {
  acted:
    '⚠️ Pegboard was interrupted while it worked on this message, after it had begun to do something. I did not repeat it. Please look what was done, and write again if anything is missing.',
  sending:
    "⚠️ The connection ended while the answer to this message was being sent. I can't tell whether it arrived. If it did not, ask again.",
} as const;

/** Marks what nobody can know, and says so: to whoever wrote, and to the owner. Told again rather than not at all. */
export async function tellUncertain(
  job: Job,
  why: keyof typeof notice,
  services: UncertainServices,
): Promise<void> {
  const { api, updates, allowed, signal, log } = services;
  const { update, place, message } = job;
  await updates.change(update.id, { state: 'uncertain', sending: 0 });
  log.warn('it is uncertain what became of a message', { chat: place.chat, of: message, why });
  const send = async (payload: Parameters<typeof api.raw.sendMessage>[0]): Promise<void> => {
    try {
      await perform(() => api.raw.sendMessage(payload), { signal, repeatable: true });
    } catch (thrown) {
      if (!(thrown instanceof TelegramFailure)) throw thrown;
      log.warn('nobody could be told', { reason: thrown.failure.reason });
    }
  };
  const reply_parameters = { message_id: message, allow_sending_without_reply: true };
  await send({ ...toPayload(place), text: notice[why], reply_parameters });
  const owner = await allowed.owner();
  if (owner !== undefined && owner !== place.chat)
    await send({ chat_id: owner, text: `${notice[why]} (In the chat ${place.chat}.)` });
  await updates.change(update.id, { told: 1 });
}
