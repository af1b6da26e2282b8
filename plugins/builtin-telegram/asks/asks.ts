import { setTimeout as delay } from 'node:timers/promises';
import type { CallbackQuery, Message } from 'grammy/types';
import {
  mergeWritten,
  parseJson,
  toJson,
  type AnsweredInstead,
  type Ask,
  type Logger,
  type Question,
} from 'pegboard';
import { AnsweredElsewhere } from 'pegboard/channels';
import { shownName } from '../access/pairing.ts';
import { textOf } from '../access/addressed.ts';
import type { BotApi } from '../bot-api.ts';
import { toPayload, type ChatAddress } from '../incoming/conversation.ts';
import type { Messages } from '../outgoing/messages.ts';
import { findUnrecorded } from '../outgoing/unrecorded.ts';
import { perform } from '../perform.ts';
import { sendQuestion } from './send-question.ts';
import type { AskPrincipal, AskStore, StoredAsk } from './store.ts';
import { stepsOf, toAnswer, type ButtonChoice, type Step, type StepAnswer } from './steps.ts';
import { detailFile, fromData, showOutcome, showQuestion } from './view.ts';

/** Milliseconds: whether something may run is asked for five minutes, what somebody wants for an hour. */
const approvalTimeoutMs = 5 * 60_000;
const questionTimeoutMs = 60 * 60_000;
/** The host's own limit for approvals may end a moment before. */
const roundingMs = 2_000;

export interface AskPlace extends AskPrincipal {
  readonly place: ChatAddress;
  /** The message that began the turn; absent: it began elsewhere. */
  readonly message?: number;
}

/** Questions to people in chats. One that waits keeps nobody else waiting. */
export interface Asks {
  askIn(place: AskPlace): Ask;
  /** What is shown to whoever pressed; undefined: the button is none of a question. */
  press(query: CallbackQuery): Promise<string | undefined>;
  /** True: the message was the answer to a question, and is no message of its own. */
  answerBy(message: Message): Promise<boolean>;
  /** The turn is over: what it asked needs no answer any more. */
  close(update: number): Promise<void>;
  /** After a restart: questions of turns that won't go on are closed; those of others wait for them. */
  recover(): Promise<void>;
}

/** An answer with who gave it, to which question. */
type Answered = StepAnswer & { readonly by: string; readonly token: string };

export interface AsksOptions {
  readonly store: AskStore;
  readonly api: BotApi;
  readonly messages: Messages;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export function createAsks({ store, api, messages, signal: stopping, log }: AsksOptions): Asks {
  /** Who waits in this process, and how texts are understood. */
  const waiting = new Map<string, { readonly step: Step; readonly decided: () => void }>();

  const edits = new Map<string, Promise<void>>();
  /** One after the other: the last outcome is the one that stays. */
  const edit = async (ask: StoredAsk, outcome: string): Promise<void> => {
    const last = edits.get(ask.token) ?? Promise.resolve();
    const edited = last.then(() => editNow(ask, outcome));
    edits.set(ask.token, edited);
    await edited;
    if (edits.get(ask.token) === edited) edits.delete(ask.token);
  };
  const editNow = async (ask: StoredAsk, outcome: string): Promise<void> => {
    const content = { text: showOutcome(ask.html, outcome), parse_mode: 'HTML' as const };
    if (ask.message === null) {
      const { chat, shown_after: after, choices } = ask;
      if (after !== null && choices !== null)
        await findUnrecorded({ api, messages, chat, after, content, signal: stopping });
      return;
    }
    const payload = { chat_id: ask.chat, message_id: ask.message, ...content };
    await perform(() => api.raw.editMessageText(payload), { signal: stopping, repeatable: true }).catch(
      (cause: unknown) => log.debug('a question could not be edited', { cause }),
    );
  };
  const closeOne = async (ask: StoredAsk, outcome: string): Promise<void> => {
    const closed = await store.move(ask.token, ask.state, 'closed');
    if (closed && ask.state === 'open') await edit(ask, outcome);
  };

  /** Somebody elsewhere was first. Whoever waits for it doesn't wait for Telegram. */
  const withdraw = async (token: string, { message }: AnsweredInstead): Promise<void> => {
    const ask = await store.byToken(token);
    if (!ask) return;
    await store.move(token, ask.state, 'closed', { answer: toJson({ instead: message }) });
    void edit(ask, `☑️ ${message}`);
  };

  /** Asks one step, or finds it asked, and waits. Undefined: no answer came in time. */
  const askStep = async (
    where: AskPlace,
    question: Question,
    step: Step,
    signal: AbortSignal,
  ): Promise<Answered | undefined> => {
    const limit = question.detail === undefined ? questionTimeoutMs : approvalTimeoutMs;
    const ask = await store.open(where, {
      html: showQuestion(question, step),
      choices: step.choices ? toJson(step.choices) : null,
      expires_at: new Date(Date.now() + limit).toISOString(),
    });
    const decided = Promise.withResolvers<void>();
    waiting.set(ask.token, { step, decided: decided.resolve });
    using timer = new DisposableStack();
    timer.defer(() => waiting.delete(ask.token));
    if (ask.state === 'open' && ask.message === null) await show(where, ask, step, signal);
    // A press may have come while it was shown, or before a restart.
    if ((await store.byToken(ask.token))?.state === 'decided') decided.resolve();
    const ended = new AbortController();
    timer.defer(() => ended.abort());
    const left = Math.max(0, Date.parse(ask.expires_at) - Date.now());
    const anyEnd = AbortSignal.any([signal, ended.signal]);
    const timedOut = delay(left, 'late' as const, { signal: anyEnd });
    const outcome = await Promise.race([decided.promise, timedOut]).catch(() => 'stopped' as const);
    if (outcome === undefined && (await store.move(ask.token, 'decided', 'used'))) {
      const answer = parseJson((await store.byToken(ask.token))!.answer!) as Answered;
      return mergeWritten(answer, { token: ask.token });
    }
    if (signal.reason instanceof AnsweredElsewhere) {
      await withdraw(ask.token, signal.reason);
      throw signal.reason;
    }
    // Whoever stops the turn closes its questions; where the host ends, they wait for its restart.
    const isOver = Date.parse(ask.expires_at) - Date.now() < roundingMs;
    if (outcome === 'stopped' && !isOver) signal.throwIfAborted();
    const now = await store.byToken(ask.token);
    if (now) await closeOne(now, '⌛ Nobody answered in time');
    return undefined;
  };

  const show = async (where: AskPlace, ask: StoredAsk, step: Step, signal: AbortSignal): Promise<void> => {
    const message = await sendQuestion(where, ask, step, { api, messages, store, signal });
    if (!(await store.move(ask.token, 'open', 'open', { message })))
      await store.move(ask.token, 'decided', 'decided', { message });
  };

  const decide = async (
    ask: StoredAsk,
    answer: StepAnswer,
    { label, by, message }: { readonly label: string; readonly by: string; readonly message: number | null },
  ): Promise<boolean> => {
    const changes = { answer: toJson(mergeWritten(answer, { by })), ...(message !== null && { message }) };
    if (!(await store.move(ask.token, 'open', 'decided', changes))) return false;
    waiting.get(ask.token)?.decided();
    await edit({ ...ask, message }, `${markOf(answer)} ${label} — ${by}`);
    return true;
  };

  return {
    askIn: (where) => async (question, signal) => {
      const steps = stepsOf(question);
      const whole = detailFile(question);
      if (whole !== undefined) await sendWhole(where, whole, signal);
      const answers: Answered[] = [];
      for (const step of steps) {
        const answer = await askStep(where, question, step, signal);
        if (!answer) return { action: 'cancel' };
        answers.push(answer);
        if (answer.action === 'decline') break;
      }
      const { by, token } = answers.at(-1)!;
      return {
        ...toAnswer(steps, answers),
        by: `${by}, Telegram`,
        onLost: (outcome) => withdraw(token, outcome),
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
      const taken = await decide(ask, choice.value, { label: choice.label, by, message: message.message_id });
      return taken ? choice.label.slice(0, 100) : tooLate((await store.byToken(ask.token)) ?? ask);
    },

    async answerBy(message) {
      const { from, chat, reply_to_message: replied } = message;
      const open = (await store.waitingIn(chat.id)).filter(({ user }) => user === from?.id);
      const ask =
        open.find((one) => one.message === replied?.message_id) ??
        (chat.type === 'private' && !replied ? open[0] : undefined);
      const waits = ask && waiting.get(ask.token);
      if (!ask || !waits || message.text === undefined) return false;
      // Beside a question with buttons a text is only its answer where it says so.
      const isReply = replied?.message_id === ask.message;
      try {
        const answer = waits.step.read(message.text);
        const said = answer.action === 'accept' ? textOf(message).slice(0, 300) : 'Declined';
        return await decide(ask, answer, { label: said, by: shownName(from!), message: ask.message });
      } catch (thrown) {
        if (!isReply && waits.step.choices) return false;
        const text = (thrown as Error).message;
        const { message_id: id } = await perform(() => api.raw.sendMessage({ chat_id: chat.id, text }), {
          signal: stopping,
        });
        await messages.keep({ place: { chat: chat.id }, id, own: true, text });
        return true;
      }
    },

    async close(update) {
      for (const ask of await store.leftOf(update)) await closeOne(ask, '⌛ Not needed any more');
    },

    async recover() {
      for (const ask of await store.orphans())
        await closeOne(ask, '⌛ Expired: Pegboard was restarted before an answer came');
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

const markOf = ({ action }: StepAnswer): string =>
  action === 'accept' ? '✅' : action === 'skip' ? '➖' : '🚫';

/** What is shown to whoever presses a button of a question that is over. At most 200 characters, as Telegram has it. */
function tooLate({ answer }: StoredAsk): string {
  if (answer === null) return expired;
  const { by, instead } = parseJson(answer) as { readonly by?: string; readonly instead?: string };
  if (instead !== undefined) return `This was answered already: ${instead}.`.slice(0, 200);
  return by === undefined ? expired : `This was answered already by ${by}.`;
}

const expired = 'This question has expired.';
