import type { Logger } from 'pegboard';
import type { BotApi } from '../bot-api.ts';
import type { Messages } from '../outgoing/messages.ts';
import { findUnrecorded } from '../outgoing/unrecorded.ts';
import { perform } from '../perform.ts';
import type { StoredAsk } from './store.ts';
import { showOutcome } from './view.ts';

export interface EditQuestionOptions {
  readonly api: BotApi;
  readonly messages: Messages;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Returns a function that adds the outcome to a question's message and removes its buttons. */
export function createEditQuestion({
  api,
  messages,
  signal,
  log,
}: EditQuestionOptions): (ask: StoredAsk, outcome: string) => Promise<void> {
  /** Edits of one question run one after the other, so that the last outcome is the one that stays. */
  const running = new Map<string, Promise<void>>();

  const edit = async (ask: StoredAsk, outcome: string): Promise<void> => {
    const content = { text: showOutcome(ask.html, outcome), parse_mode: 'HTML' as const };
    if (ask.message === null) {
      const { chat, shown_after: after, choices } = ask;
      if (after !== null && choices !== null)
        await findUnrecorded({ api, messages, chat, after, content, signal });
      return;
    }
    const payload = { chat_id: ask.chat, message_id: ask.message, ...content };
    await perform(() => api.raw.editMessageText(payload), { signal, repeatable: true }).catch(
      (cause: unknown) => log.debug('a question could not be edited', { cause }),
    );
  };
  return async (ask, outcome) => {
    const last = running.get(ask.token) ?? Promise.resolve();
    const edited = last.then(() => edit(ask, outcome));
    running.set(ask.token, edited);
    await edited;
    if (running.get(ask.token) === edited) running.delete(ask.token);
  };
}
