import type { CallbackQuery, Message, Update, UserFromGetMe } from 'grammy/types';
import { parseJson, type History, type Logger } from 'pegboard';
import { commandOf, isAddressed, textOf } from '../access/addressed.ts';
import type { Allowed } from '../access/allowed.ts';
import { shownName, type Pairing } from '../access/pairing.ts';
import type { Asks } from '../asks/asks.ts';
import type { BotApi } from '../bot-api.ts';
import type { DeliveredButtons } from '../channel/buttons.ts';
import type { TelegramConfig } from '../config.ts';
import type { StoredUpdate, Updates } from '../inbox/updates.ts';
import { updateOfAgain } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import { perform } from '../perform.ts';
import type { Job } from '../turns/job.ts';
import type { LiveTurns } from '../turns/live-turns.ts';
import type { JobQueue } from '../turns/queue.ts';
import { addressNamed, addressOf } from './conversation.ts';
import { fileOf } from './files.ts';
import { apology, describe } from './other-kinds.ts';
import { isTyped } from './origins.ts';
import { readReaction } from './read-job.ts';

export interface RouterServices {
  readonly api: BotApi;
  readonly config: TelegramConfig;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly updates: Updates;
  readonly messages: Messages;
  readonly history: Pick<History, 'find'>;
  readonly allowed: Allowed;
  readonly pairing: Pairing;
  readonly asks: Asks;
  readonly buttons: DeliveredButtons;
  readonly live: LiveTurns;
  readonly queue: JobQueue;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Decides what becomes of an update that is on disk: a job, an answer to a question, or nothing. */
export async function route(update: StoredUpdate, services: RouterServices): Promise<void> {
  const body = parseJson(update.body) as Update;
  const job = await jobOf(update, body, services);
  if (job) services.queue.add(job);
  else await services.updates.change(update.id, { state: 'done' });
}

/** Undefined: nothing is left to do. */
async function jobOf(
  update: StoredUpdate,
  { message, edited_message: edited, callback_query: query, message_reaction: reaction }: Update,
  services: RouterServices,
): Promise<Job | undefined> {
  // The sender of an update from before a restart was admitted then.
  const isBegun = update.state !== 'new';
  if (message)
    return isBegun || (await admits(message, services))
      ? await fromMessage(update, message, services)
      : undefined;
  if (edited)
    return isBegun || (await admits(edited, services)) ? await fromEdit(update, edited, services) : undefined;
  if (query) return await fromPress(update, query, services);
  if (reaction?.user && (await services.allowed.has(reaction.user.id))) {
    const read = await readReaction(reaction, update.conversation, services);
    if (!read) return undefined;
    const place = addressNamed(update.conversation)!;
    return {
      update,
      place,
      user: reaction.user.id,
      message: reaction.message_id,
      messages: [],
      ...read,
      others: [],
    };
  }
  return undefined;
}

/** By the number of who wrote it, and by what the settings say of groups and of what others wrote. */
async function admits(message: Message, services: RouterServices): Promise<boolean> {
  const { config, allowed, me, log } = services;
  const { from, chat } = message;
  const isPrivate = chat.type === 'private';
  if (!from || from.is_bot || message.sender_chat) return false;
  if (!isPrivate && config.groups === 'none') return false;
  if (!(await allowed.has(from.id))) {
    if (isPrivate) await offerPairing(message, services);
    else log.debug('a stranger in a group was ignored', { user: from.id, chat: chat.id });
    return false;
  }
  if (message.forward_origin && config.forwarded === 'ignore') {
    log.info('a forwarded message was ignored', { user: from.id, chat: chat.id });
    return false;
  }
  return isPrivate || config.groups === 'all' || isAddressed(message, me());
}

async function offerPairing({ from, chat }: Message, services: RouterServices): Promise<void> {
  const { pairing, api, signal, log } = services;
  const code = await pairing.begin(from!);
  if (code === undefined) return;
  log.warn('somebody who is not allowed wrote to the bot, and got a code', {
    user: from!.id,
    name: shownName(from!),
  });
  const text = `I don't know you yet. If this bot is yours, run this within ten minutes where Pegboard runs:\n\n<code>pegboard telegram pair ${code}</code>`;
  await perform(() => api.raw.sendMessage({ chat_id: chat.id, text, parse_mode: 'HTML' }), { signal });
}

async function fromMessage(
  update: StoredUpdate,
  message: Message,
  { messages, asks, live, queue, me, api, signal }: RouterServices,
): Promise<Job | undefined> {
  const says = textOf(message) || describe(message) || (fileOf(message) && '[a file]') || apology(message);
  if (!says) return undefined;
  const job = toJob(update, message);
  if (update.state !== 'new') return job;
  await messages.keep({
    place: addressOf(message),
    id: message.message_id,
    own: false,
    text: says,
  });
  if (commandOf(message, me().username)?.name === 'stop') {
    const running = live.in(update.conversation);
    running?.stop();
    if (running || queue.waitingIn(update.conversation).length > 0) return undefined;
    await perform(() => api.raw.sendMessage({ chat_id: message.chat.id, text: 'Nothing is running.' }), {
      signal,
    });
    return undefined;
  }
  // A forwarded or quoted text doesn't answer a question.
  if (!isTyped(message)) return job;
  return (await asks.answerBy(message)) ? undefined : job;
}

/** What nobody has begun to answer is answered as it says now; what was answered, anew. */
async function fromEdit(
  update: StoredUpdate,
  message: Message,
  { queue, messages }: RouterServices,
): Promise<Job | undefined> {
  await messages.keep({
    place: addressOf(message),
    id: message.message_id,
    own: false,
    text: textOf(message),
  });
  const waiting = queue
    .waitingIn(update.conversation)
    .find((job) => job.messages.some((one) => one.message_id === message.message_id));
  if (!waiting) return toJob(update, message);
  const { edit_date: _edited, ...now } = message;
  const at = waiting.messages.findIndex((one) => one.message_id === message.message_id);
  waiting.messages[at] = now;
  return undefined;
}

async function fromPress(
  update: StoredUpdate,
  query: CallbackQuery,
  services: RouterServices,
): Promise<Job | undefined> {
  const { allowed, asks, buttons, api, signal } = services;
  const say = async (text: string): Promise<void> => {
    const answer = { callback_query_id: query.id, ...(text !== '' && { text }) };
    // It may have been answered before a restart.
    await perform(() => api.raw.answerCallbackQuery(answer), { signal, repeatable: true }).catch(() => {
      signal.throwIfAborted();
    });
  };
  // Without an answer the button goes on spinning.
  if (!(await allowed.has(query.from.id))) {
    await say('This bot does not know you.');
    return undefined;
  }
  const again = updateOfAgain(query.data);
  if (again !== undefined) {
    await say(await sendAgain(again, query, services));
    return undefined;
  }
  const outcome = await asks.press(query);
  const pressed = outcome === undefined ? await buttons.press(query, update.id) : undefined;
  await say(outcome ?? (pressed === undefined ? 'This button has expired.' : ''));
  if (pressed === undefined || !query.message) return undefined;
  const job = toJob(update, query.message);
  return { ...job, messages: [], user: query.from.id, text: pressed };
}

/** The notice shown to the person who pressed. */
async function sendAgain(id: number, { message }: CallbackQuery, services: RouterServices): Promise<string> {
  const { updates, api } = services;
  const doubtful = message && (await updates.sendAgain(id, message.chat.id));
  if (!doubtful) return 'This was sent again already, or is too old.';
  api.raw
    .editMessageReplyMarkup({ chat_id: message.chat.id, message_id: message.message_id })
    .catch(() => {});
  await route(doubtful, services);
  return 'It is sent again.';
}

const toJob = (update: StoredUpdate, message: Message): Job => ({
  update,
  place: addressOf(message),
  user: message.from?.id ?? 0,
  message: message.message_id,
  messages: [message],
  others: [],
});
