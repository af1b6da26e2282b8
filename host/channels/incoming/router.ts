import { publicPegboard } from '../../core/own-command.ts';
import type {
  ButtonPress,
  ChatAddress,
  ReceivedMessage,
  ReceivedReaction,
} from '../../api/channels/driver.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { addressNamed } from '../address.ts';
import { validMs } from '../access/pairing.ts';
import type { WaitingRoom } from '../access/waiting-room.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { commandOf } from '../commands/read-command.ts';
import type { StoredEvent } from '../inbox/events.ts';
import { eventOfAgain } from '../outgoing/failed-parts.ts';
import { rendered } from '../outgoing/parts.ts';
import { perform } from '../outgoing/perform.ts';
import type { Job } from '../turns/job.ts';
import type { JobQueue } from '../turns/queue.ts';
import { readReaction } from './read-reaction.ts';

export interface RouterParts extends ChannelParts {
  readonly queue: JobQueue;
  readonly waitingRoom: WaitingRoom;
}

/** Routes a stored event: it becomes a job, answers a question, or is ignored. */
export async function route(event: StoredEvent, parts: RouterParts): Promise<void> {
  const job = await jobOf(event, parts);
  if (job === 'held') return;
  if (job) parts.queue.add(job);
  else await parts.events.change(event.id, { state: 'done' });
}

/** Undefined when nothing is left to do. `held`: it waits until its sender is paired. */
async function jobOf(event: StoredEvent, parts: RouterParts): Promise<Job | 'held' | undefined> {
  const read = parts.driver.read(parseJson(event.body));
  switch (read?.kind) {
    case 'message':
      // The sender of an event from before a restart was admitted then.
      if (event.state === 'new') {
        if (await isHeld(event, read, parts)) return 'held';
        if (!(await admits(read, parts))) return undefined;
      }
      return read.isEdited ? await fromEdit(event, read, parts) : await fromMessage(event, read, parts);
    case 'press':
      return await fromPress(event, read, parts);
    case 'reaction':
      return await fromReaction(event, read, parts);
    case undefined:
      return undefined;
  }
}

/** Checks the sender's id, and the settings for groups and forwarded messages. */
async function admits(message: ReceivedMessage, parts: RouterParts): Promise<boolean> {
  const { settings, allowed, log } = parts;
  const { from, isPrivate, address } = message;
  if (!from) return false;
  if (!isPrivate && settings.groups === 'none') return false;
  if (!(await allowed.has(from.id))) {
    if (!isPrivate) log.debug('a stranger in a group was ignored', { user: from.id, chat: address.chat });
    return false;
  }
  if (message.isForwarded && settings.forwarded === 'ignore') {
    log.info('a forwarded message was ignored', { user: from.id, chat: address.chat });
    return false;
  }
  return isPrivate || settings.groups === 'all' || message.isAddressed === true;
}

/** Whether it waits: the first message of somebody who isn't allowed yet, and has a code to be paired with. */
async function isHeld(event: StoredEvent, message: ReceivedMessage, parts: RouterParts): Promise<boolean> {
  const { from, isPrivate, isForwarded } = message;
  if (!from || !isPrivate || (await parts.allowed.has(from.id))) return false;
  // Its code has expired while no host ran.
  if (Date.now() - Date.parse(event.received_at) > validMs) return false;
  await offerPairing(message, parts);
  const hasCode = (await parts.pairing.waiting()).some(({ id }) => id === from.id);
  return hasCode && !isForwarded && parts.waitingRoom.hold(from.id, event);
}

async function offerPairing({ from, address }: ReceivedMessage, parts: RouterParts): Promise<void> {
  const { pairing, name, log } = parts;
  const code = await pairing.begin(from!);
  if (code === undefined) return;
  log.warn('somebody who is not allowed wrote to the bot, and got a code', {
    user: from!.id,
    name: from!.name,
  });
  const text = `I don't know you yet. If this bot is yours, run this within ten minutes where Pegboard runs, and your message is answered:\n\n\`${publicPegboard} ${name} pair ${code}\``;
  await say(address, text, parts);
}

async function say(
  to: ChatAddress,
  markdown: string,
  { driver, signal }: Pick<ChannelParts, 'driver' | 'signal'>,
): Promise<void> {
  for (const text of rendered(markdown, driver))
    await perform(() => driver.send(to, { kind: 'text', ...text }, {}, signal), { signal });
}

async function fromMessage(
  event: StoredEvent,
  message: ReceivedMessage,
  parts: RouterParts,
): Promise<Job | undefined> {
  const { asks, live, queue } = parts;
  const job = toJob(event, message);
  if (event.state !== 'new') return job;
  await keep(message, parts);
  if (commandOf(message)?.name === 'stop') {
    const running = live.in(event.conversation);
    running?.stop();
    if (!running && queue.waitingIn(event.conversation).length === 0)
      await say(message.address, 'Nothing is running.', parts);
    return undefined;
  }
  return (await asks.answerBy(message)) ? undefined : job;
}

const keep = async (
  { address, id, text, files = [], unsupported = '' }: ReceivedMessage,
  { messages }: RouterParts,
): Promise<void> => {
  const summary = text || (files.length > 0 ? '[a file]' : unsupported);
  await messages.keep({ address, id, own: false, text: summary });
};

/**
 * An edited message replaces the queued one. If that was answered already, the new version is answered as well.
 */
async function fromEdit(
  event: StoredEvent,
  message: ReceivedMessage,
  parts: RouterParts,
): Promise<Job | undefined> {
  await keep(message, parts);
  const waiting = parts.queue
    .waitingIn(event.conversation)
    .find((job) => job.person === message.from?.id && job.messages.some(({ id }) => id === message.id));
  if (!waiting) return toJob(event, message);
  const at = waiting.messages.findIndex(({ id }) => id === message.id);
  waiting.messages[at] = { ...message, isEdited: false };
  return undefined;
}

async function fromReaction(
  event: StoredEvent,
  reaction: ReceivedReaction,
  parts: RouterParts,
): Promise<Job | undefined> {
  const { from, to, isPrivate } = reaction;
  if (!from || !(await parts.allowed.has(from.id))) return undefined;
  const read = await readReaction(reaction, event.conversation, parts);
  if (!read) return undefined;
  const address = addressNamed(event.conversation);
  return { event, address, isPrivate, person: from.id, message: to, messages: [], ...read, others: [] };
}

async function fromPress(
  event: StoredEvent,
  press: ButtonPress,
  parts: RouterParts,
): Promise<Job | undefined> {
  const { allowed, asks, buttons, driver, signal } = parts;
  const { from, address, isPrivate, message } = press;
  const acknowledge = async (notice: string): Promise<void> => {
    // It may have been answered before a restart.
    await perform(async () => await driver.acknowledge?.(press, notice, signal), {
      signal,
      repeatable: true,
    }).catch(() => {
      signal.throwIfAborted();
    });
  };
  // Always acknowledged: otherwise the button shows a spinner.
  if (!from || !(await allowed.has(from.id))) {
    await acknowledge('This bot does not know you.');
    return undefined;
  }
  const again = eventOfAgain(press.data);
  if (again !== undefined) {
    await acknowledge(await sendAgain(again, press, parts));
    return undefined;
  }
  const outcome = await asks.press(press);
  const pressed = outcome === undefined ? await buttons.press(press, event.id) : undefined;
  if (pressed !== undefined) clearButtons(press, parts);
  await acknowledge(outcome ?? (pressed === undefined ? 'This button has expired.' : ''));
  if (pressed === undefined || message === undefined) return undefined;
  return { event, address, isPrivate, person: from.id, message, messages: [], text: pressed, others: [] };
}

/** The notice shown to the person who pressed. */
async function sendAgain(id: number, press: ButtonPress, parts: RouterParts): Promise<string> {
  const doubtful = await parts.events.sendAgain(id, press.address.chat);
  if (!doubtful) return 'This was sent again already, or is too old.';
  clearButtons(press, parts);
  await route(doubtful, parts);
  return 'It is sent again.';
}

function clearButtons({ address, message }: ButtonPress, { driver, signal }: RouterParts): void {
  if (message !== undefined) driver.clearButtons?.(address, message, signal).catch(() => {});
}

const toJob = (event: StoredEvent, message: ReceivedMessage): Job => ({
  event,
  address: message.address,
  isPrivate: message.isPrivate,
  person: message.from?.id ?? '',
  message: message.id,
  messages: [message],
  others: [],
});
