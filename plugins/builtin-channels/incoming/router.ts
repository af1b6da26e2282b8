import { type ButtonPress, type ChatAddress, parseJson, type ReceivedMessage } from 'pegboard';
import { publicPegboard } from 'pegboard/kit';
import { validMs } from '../access/pairing.ts';
import type { WaitingRoom } from '../access/waiting-room.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { commandOf } from '../commands/read-command.ts';
import type { StoredEvent } from '../inbox/events.ts';
import { filesIn, unsupportedIn } from './attached.ts';
import { isMeant } from './is-relevant.ts';
import { resendTarget } from '../outgoing/failed-parts.ts';
import { rendered } from '../outgoing/parts.ts';
import { perform } from '../outgoing/perform.ts';
import { sendOnce } from '../outgoing/send-once.ts';
import { messageOf, readJob } from '../turns/read-job.ts';
import { goesOnWith, inOne, mayGoOn, splitDelayMs } from './split-text.ts';
import { changesNothing } from './unchanged-edit.ts';

export interface RouterParts extends ChannelParts {
  readonly waitingRoom: WaitingRoom;
}

/** `turn`: it gets one. `held`: it waits until its sender is paired. `joined`: another one's turn answers it too. */
type Outcome = 'turn' | 'held' | 'joined' | 'nothing';

/** Routes a stored event: it gets a turn, answers a question, or is ignored. */
export async function route(event: StoredEvent, parts: RouterParts): Promise<void> {
  // What another version or a copy of the database has left open was routed then.
  const outcome = event.state === 'new' ? await outcomeOf(event, parts) : 'turn';
  if (outcome === 'turn') await parts.turns.enqueue(event, { growsMs: growsMsOf(event, parts) });
  if (outcome === 'nothing') await parts.events.change(event.id, { state: 'done' });
}

/** Milliseconds to wait for the other pictures of an album. */
const albumDelayMs = 400;

/** How long others may join its turn. */
function growsMsOf(event: StoredEvent, parts: RouterParts): number | undefined {
  const message = event.state === 'new' ? messageOf(event, parts) : undefined;
  if (message?.album !== undefined) return albumDelayMs;
  return message && mayGoOn(message, parts.driver) ? splitDelayMs : undefined;
}

async function outcomeOf(event: StoredEvent, parts: RouterParts): Promise<Outcome> {
  const read = parts.driver.read(parseJson(event.body));
  switch (read?.kind) {
    case 'message':
      if (await isHeld(event, read, parts)) return 'held';
      if (!(await admits(read, parts))) return 'nothing';
      // The rest of a text whose beginning was for the account.
      if (!isMeant(read, parts.settings)) return (await joinsLast(event, read, parts)) ? 'joined' : 'nothing';
      return read.isEdited ? await fromEdit(event, read, parts) : await fromMessage(event, read, parts);
    case 'press':
      return await fromPress(event, read, parts);
    case 'reaction':
      return read.from &&
        (await parts.allowed.has(read.from.id)) &&
        (await readJob({ ...event, hasJoined: false }, [], parts))
        ? 'turn'
        : 'nothing';
    case 'chat':
    case undefined:
      return 'nothing';
  }
}

/** Checks the sender's id, and the setting for forwarded messages. */
async function admits(message: ReceivedMessage, parts: RouterParts): Promise<boolean> {
  const { settings, allowed, log } = parts;
  const { from, isPrivate, address } = message;
  if (!from) return false;
  if (!(await allowed.has(from.id))) {
    if (!isPrivate) log.debug('a stranger in a group was ignored', { user: from.id, chat: address.chat });
    return false;
  }
  if (message.isForwarded && settings.forwarded === 'ignore') {
    log.info('a forwarded message was ignored', { user: from.id, chat: address.chat });
    return false;
  }
  return true;
}

/** Whether it waits: the first message of somebody who isn't allowed yet, and has a code to be paired with. */
async function isHeld(event: StoredEvent, message: ReceivedMessage, parts: RouterParts): Promise<boolean> {
  const { from, isPrivate, isForwarded } = message;
  if (!from || !isPrivate || (await parts.allowed.has(from.id))) return false;
  // Its code has expired while no host ran.
  if (parts.clock.now() - Date.parse(event.received_at) > validMs) return false;
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
  parts: Pick<ChannelParts, 'driver' | 'clock' | 'signal'>,
): Promise<void> {
  for (const text of rendered(markdown, parts.driver))
    await sendOnce(to, { kind: 'text', ...text }, {}, parts);
}

async function fromMessage(
  event: StoredEvent,
  message: ReceivedMessage,
  parts: RouterParts,
): Promise<Outcome> {
  const { live, turns } = parts;
  const { conversation } = event;
  await keep(message, parts);
  if (commandOf(message)?.name === 'stop') {
    const running = live.in(conversation);
    running?.stop();
    const isSomewhere = (await turns.askToStop(conversation)) || running !== undefined;
    if (!isSomewhere && (await turns.waitingIn(conversation)).length === 0)
      await say(message.address, 'Nothing is running.', parts);
    return 'nothing';
  }
  if (await answersQuestion(event, message, parts)) return 'nothing';
  return (await joinsLast(event, message, parts)) ? 'joined' : 'turn';
}

/** With the parts that follow, if it is too long for one message: none of them is routed by itself then. */
async function answersQuestion(
  event: StoredEvent,
  message: ReceivedMessage,
  parts: RouterParts,
): Promise<boolean> {
  const { asks, driver, events } = parts;
  let rest: readonly ReceivedPart[] = [];
  const isAnswer = await asks.answerBy(message, async () => {
    rest = await restOf({ event, message }, parts);
    return inOne([message, ...rest.map((one) => one.message)], driver);
  });
  if (!isAnswer) return false;
  for (const one of rest) {
    await keep(one.message, parts);
    await events.change(one.event.id, { state: 'done' });
  }
  return true;
}

interface ReceivedPart {
  readonly event: StoredEvent;
  readonly message: ReceivedMessage;
}

/** Waits for the parts that follow a text that is too long for one message. */
async function restOf(first: ReceivedPart, parts: RouterParts): Promise<readonly ReceivedPart[]> {
  const { events, driver, clock, signal } = parts;
  const rest: ReceivedPart[] = [];
  for (let last = first; mayGoOn(last.message, driver); last = rest.at(-1)!) {
    await clock.sleep(splitDelayMs, signal);
    signal.throwIfAborted();
    const later = (await events.after(last.event)).flatMap((event): ReceivedPart[] => {
      const message = messageOf(event, parts);
      return message ? [{ event, message }] : [];
    });
    const next = later.find((one) => isNextOf(last, one, driver));
    if (!next) break;
    rest.push(next);
  }
  return rest;
}

const isNextOf = (before: ReceivedPart, next: ReceivedPart, driver: RouterParts['driver']): boolean =>
  Date.parse(next.event.received_at) - Date.parse(before.event.received_at) <= splitDelayMs &&
  goesOnWith(before.message, next.message, driver);

/** The pictures of an album arrive one by one, and so do the parts of a text that was too long for one message. */
async function joinsLast(event: StoredEvent, message: ReceivedMessage, parts: RouterParts): Promise<boolean> {
  const { turns, driver } = parts;
  const waiting = (await turns.waitingIn(event.conversation)).at(-1);
  if (!waiting) return false;
  const last = (await turns.joinedTo(waiting.id)).at(-1) ?? waiting;
  const before = messageOf(last, parts);
  if (!before) return false;
  const belongs =
    message.album === undefined
      ? isNextOf({ event: last, message: before }, { event, message }, driver)
      : before.album === message.album;
  return belongs && (await turns.join(event, waiting.id));
}

const keep = async (message: ReceivedMessage, { messages }: RouterParts): Promise<void> => {
  const { address, id, text } = message;
  const summary = text || (filesIn(message).length > 0 ? '[a file]' : (unsupportedIn(message) ?? ''));
  await messages.keep({ address, id, own: false, text: summary });
};

/**
 * An edited message replaces the waiting one. If that was answered already, the new version is answered as well, unless it
 * says the same.
 */
async function fromEdit(event: StoredEvent, message: ReceivedMessage, parts: RouterParts): Promise<Outcome> {
  const { conversation, body } = event;
  if (await changesNothing(event, message, parts)) return 'nothing';
  await keep(message, parts);
  for (const waiting of await parts.turns.waitingIn(conversation)) {
    for (const one of [waiting, ...(await parts.turns.joinedTo(waiting.id))]) {
      const earlier = messageOf(one, parts);
      if (earlier?.id !== message.id || earlier.from?.id !== message.from?.id) continue;
      if (await parts.turns.rewrite(one.id, body)) return 'nothing';
    }
  }
  return 'turn';
}

async function fromPress(event: StoredEvent, press: ButtonPress, parts: RouterParts): Promise<Outcome> {
  const { allowed, asks, buttons, driver, clock, signal } = parts;
  const { from, message } = press;
  const acknowledge = async (notice: string): Promise<void> => {
    // It may have been answered before a restart.
    await perform(async () => await driver.acknowledge?.(press, notice, signal), {
      signal,
      repeatable: true,
      clock,
    }).catch(() => {
      signal.throwIfAborted();
    });
  };
  // Always acknowledged: otherwise the button shows a spinner.
  if (!from || !(await allowed.has(from.id))) {
    await acknowledge('This bot does not know you.');
    return 'nothing';
  }
  const again = resendTarget(press.data);
  if (again !== undefined) {
    await acknowledge(await sendAgain(again, press, parts));
    return 'nothing';
  }
  const outcome = await asks.press(press);
  const pressed = outcome === undefined ? await buttons.press(press, event.id) : undefined;
  if (pressed !== undefined) clearButtons(press, parts);
  await acknowledge(outcome ?? (pressed === undefined ? 'This button has expired.' : ''));
  return pressed === undefined || message === undefined ? 'nothing' : 'turn';
}

/** The notice shown to the person who pressed. */
async function sendAgain(id: number, press: ButtonPress, parts: RouterParts): Promise<string> {
  const doubtful = await parts.events.sendAgain(id, press.address.chat);
  if (!doubtful) return 'This was sent again already, or is too old.';
  clearButtons(press, parts);
  await parts.turns.enqueue(doubtful);
  return 'It is sent again.';
}

function clearButtons({ address, message }: ButtonPress, { driver, signal }: RouterParts): void {
  if (message !== undefined) driver.clearButtons?.(address, message, signal).catch(() => {});
}
