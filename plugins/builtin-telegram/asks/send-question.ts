import type { BotApi } from '../bot-api.ts';
import { toPayload } from '../incoming/conversation.ts';
import type { Messages } from '../outgoing/messages.ts';
import { findUnrecorded } from '../outgoing/unrecorded.ts';
import { perform, TelegramFailure } from '../perform.ts';
import type { AskPlace } from './ask-steps.ts';
import type { Step } from './steps.ts';
import type { AskStore, StoredAsk } from './store.ts';
import { showChoices } from './view.ts';

export interface SendQuestionOptions {
  readonly api: BotApi;
  readonly messages: Messages;
  readonly store: AskStore;
  readonly signal: AbortSignal;
}

/** Sends a question once: one that was sent just before the process ended is found again. Returns the message's id. */
export async function sendQuestion(
  where: AskPlace,
  ask: StoredAsk,
  step: Step,
  { api, messages, store, signal }: SendQuestionOptions,
): Promise<number> {
  const content = {
    text: ask.html,
    parse_mode: 'HTML' as const,
    reply_markup: showChoices(ask.token, step.choices, step.url),
    link_preview_options: { is_disabled: true },
  };
  const { chat } = where.place;
  /** Telegram can't edit a message that forces a reply. */
  const find = async (after: number | null): Promise<number | undefined> =>
    after !== null && step.choices
      ? await findUnrecorded({ api, messages, chat, after, content, signal })
      : undefined;
  const send = async (repeatable: boolean): Promise<number> => {
    const reply = where.message !== undefined && {
      reply_parameters: { message_id: where.message, allow_sending_without_reply: true },
    };
    const payload = { ...toPayload(where.place), ...content, ...reply };
    return (await perform(() => api.raw.sendMessage(payload), { signal, repeatable })).message_id;
  };
  const sendOnce = async (): Promise<number> => {
    const after = await messages.last(chat);
    await store.move(ask.token, 'open', 'open', { shown_after: after });
    try {
      return await send(false);
    } catch (thrown) {
      if (!(thrown instanceof TelegramFailure) || thrown.failure.kind !== 'unknown') throw thrown;
      // A second message is harmless: the token can be answered only once.
      return (await find(after)) ?? (await send(true));
    }
  };
  return (await find(ask.shown_after)) ?? (await sendOnce());
}
