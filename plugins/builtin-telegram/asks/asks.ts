import type { CallbackQuery, Message } from 'grammy/types';
import { parseJson, type Ask } from 'pegboard';
import { shownName } from '../access/pairing.ts';
import { textOf } from '../access/addressed.ts';
import { toPayload } from '../incoming/conversation.ts';
import { perform } from '../perform.ts';
import { createAskSteps, type Answered, type AskPlace, type AskStepsOptions } from './ask-steps.ts';
import type { StoredAsk } from './store.ts';
import { stepsOf, toAnswer, type ButtonChoice } from './steps.ts';
import { detailFile, fromData } from './view.ts';

/** Questions to people in chats. A question that waits doesn't block other questions. */
export interface Asks {
  askIn(place: AskPlace): Ask;
  /** Returns the notice to show for a pressed button, or undefined when it is not a button of a question. */
  press(query: CallbackQuery): Promise<string | undefined>;
  /** True: the message answers a question and is not a message to the agent. */
  answerBy(message: Message): Promise<boolean>;
  /** Closes the questions of a turn that is over. */
  close(update: number): Promise<void>;
  /** After a restart: closes the questions of turns that won't be resumed. */
  recover(): Promise<void>;
}

export function createAsks(options: AskStepsOptions): Asks {
  const { store, api, messages, signal: stopping } = options;
  const steps = createAskSteps(options);

  return {
    askIn: (where) => async (question, signal) => {
      const parts = stepsOf(question);
      const whole = detailFile(question);
      if (whole !== undefined) await sendWhole(where, whole, signal);
      const answers: Answered[] = [];
      for (const step of parts) {
        const answer = await steps.ask(where, question, step, signal);
        if (!answer) return { action: 'cancel' };
        answers.push(answer);
        if (answer.action === 'decline') break;
      }
      const { by, token } = answers.at(-1)!;
      return {
        ...toAnswer(parts, answers),
        by: `${by}, Telegram`,
        onLost: (outcome) => steps.withdraw(token, outcome),
      };
    },

    async press({ data = '', from, message }) {
      const pressed = fromData(data);
      const ask = pressed && (await store.byToken(pressed.token));
      if (!ask || !pressed) return undefined;
      if (from.id !== ask.user || message?.chat.id !== ask.chat) return 'This question is for somebody else.';
      const choice = (parseJson(ask.choices ?? '[]') as readonly ButtonChoice[])[pressed.choice];
      const isLate = Date.parse(ask.expires_at) <= Date.now();
      if (ask.state !== 'open') return tooLate(ask);
      if (!choice || isLate) return expired;
      const by = shownName(from);
      const isFirst = await steps.decide(ask, choice.value, {
        label: choice.label,
        by,
        message: message.message_id,
      });
      return isFirst ? choice.label.slice(0, 100) : tooLate((await store.byToken(ask.token)) ?? ask);
    },

    async answerBy(message) {
      const { from, chat, reply_to_message: replied } = message;
      const open = (await store.waitingIn(chat.id)).filter(({ user }) => user === from?.id);
      const ask =
        open.find((one) => one.message === replied?.message_id) ??
        (chat.type === 'private' && !replied ? open[0] : undefined);
      const step = ask && steps.waiting(ask.token);
      if (!ask || !step || message.text === undefined) return false;
      // A text answers a question with buttons only when it is a reply to it.
      const isReply = replied?.message_id === ask.message;
      try {
        const answer = step.read(message.text);
        const said = answer.action === 'accept' ? textOf(message).slice(0, 300) : 'Declined';
        return await steps.decide(ask, answer, { label: said, by: shownName(from!), message: ask.message });
      } catch (thrown) {
        if (!isReply && step.choices) return false;
        const text = (thrown as Error).message;
        const { message_id: id } = await perform(() => api.raw.sendMessage({ chat_id: chat.id, text }), {
          signal: stopping,
        });
        await messages.keep({ place: { chat: chat.id }, id, own: true, text });
        return true;
      }
    },

    async close(update) {
      for (const ask of await store.leftOf(update)) await steps.close(ask, '⌛ Not needed any more');
    },

    async recover() {
      for (const ask of await store.orphans())
        await steps.close(ask, '⌛ Expired: Pegboard was restarted before an answer came');
    },
  };

  async function sendWhole({ place }: AskPlace, detail: string, signal: AbortSignal): Promise<void> {
    const { InputFile } = await import('grammy');
    const file = (): InstanceType<typeof InputFile> => new InputFile(Buffer.from(detail), 'question.txt');
    const sent = await perform(() => api.uploads.sendDocument({ ...toPayload(place), document: file() }), {
      signal,
      repeatable: true,
    });
    await messages.keep({ place, id: sent.message_id, own: true, text: '[document]' });
  }
}

/** The notice for a button of a question that is over. At most 200 characters, Telegram's limit. */
function tooLate({ answer }: StoredAsk): string {
  if (answer === null) return expired;
  const { by, instead } = parseJson(answer) as { readonly by?: string; readonly instead?: string };
  if (instead !== undefined) return `This was answered already: ${instead}.`.slice(0, 200);
  return by === undefined ? expired : `This was answered already by ${by}.`;
}

const expired = 'This question has expired.';
