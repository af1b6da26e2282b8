import type { Check } from 'pegboard';
import { terminalChat } from 'pegboard/kit';
import type { ChannelParts } from '../channel-parts.ts';
import { failureOf, isHoldUp } from '../failure.ts';
import type { Hold } from '../inbox/hold-rows.ts';

/** Milliseconds between two looks at what other hosts hold back. */
const lookMs = 60_000;

/**
 * Tries what is held back, and tells the owner about it, until the signal aborts. Never rejects. Run it on one host, the
 * one that receives.
 */
export async function watchHolds(parts: ChannelParts): Promise<void> {
  const { holds, clock, signal, log, context, title } = parts;
  let shown: readonly Hold[] = [];
  const look = async (): Promise<number> => {
    await holds.endSettled();
    const all = await holds.all();
    for (const hold of all) context.report(checkOf(hold, title));
    for (const hold of shown)
      if (!all.some(({ chat }) => chat === hold.chat)) {
        context.report({ ...checkOf(hold, title), status: 'ok', message: 'takes messages again' });
        log.info(`${nameOf(hold, title)} takes messages again`);
      }
    shown = all;
    for (const hold of all.filter(({ told }) => told === 0)) {
      await tellOwner(hold, parts);
      await holds.told(hold);
    }
    const waiting = all.filter(({ probe }) => probe === null);
    for (const hold of waiting.filter(({ next_at: at }) => at <= clock.now())) await retry(hold, parts);
    const later = waiting.map(({ next_at: at }) => at - clock.now()).filter((ms) => ms > 0);
    return Math.min(lookMs, ...later);
  };
  while (!signal.aborted) {
    const changed = holds.changed();
    let pauseMs = lookMs;
    try {
      pauseMs = await look();
    } catch (cause) {
      if (!signal.aborted) log.error('what is held back could not be read', { cause });
    }
    await Promise.race([changed, clock.sleep(pauseMs, signal)]);
  }
}

/** Asks the service first: that costs nothing. */
async function retry(hold: Hold, { holds, driver, signal }: ChannelParts): Promise<void> {
  try {
    if (hold.chat === '') await driver.connect?.(signal);
    else await driver.typing?.({ chat: hold.chat });
  } catch (thrown) {
    signal.throwIfAborted();
    if (hold.chat === '' || isHoldUp(thrown)) return await holds.postpone(hold, failureOf(thrown).message);
  }
  await holds.probe(hold);
}

const nameOf = ({ chat }: Hold, title: string): string => (chat === '' ? title : `${title}, chat ${chat}`);

/** What `start`, `status` and `doctor` say of it. */
export const checkOf = (hold: Hold, title: string): Check => ({
  name: `${nameOf(hold, title)}: answers`,
  status: 'warning',
  message: `wait since ${hold.since.slice(0, 16).replace('T', ' ')} UTC, because ${title} refuses them: ${hold.reason}`,
});

/** Once, on the first way that works: this channel if another chat is held, other channels, the terminal. */
async function tellOwner(hold: Hold, parts: ChannelParts): Promise<void> {
  const { name, title, allowed, settings, context, signal, log } = parts;
  const { chat, reason } = hold;
  const what =
    chat === ''
      ? `${title} takes no messages of this account (${reason}).`
      : `${title} takes no messages for the chat ${chat} (${reason}).`;
  const text = `⚠️ ${what} Nothing is lost: answers wait until it does, and nothing else is begun there.`;
  log.warn(what);
  // Of strangers that come and go, the log is enough.
  if (chat !== '' && settings.allow === 'everyone') return;
  const ways: (() => Promise<{ readonly channel: string; readonly chat: string } | undefined>)[] = [
    async () => {
      const own = chat === '' ? undefined : await allowed.ownerChat();
      return own && own.chat !== chat ? { channel: name, chat: own.chat } : undefined;
    },
    ...context.channels
      .filter((other) => other.name !== name && other.ownerChat !== undefined)
      .map((other) => async () => {
        const owners = await other.ownerChat!();
        return owners === undefined ? undefined : { channel: other.name, chat: owners };
      }),
    () => Promise.resolve(terminalChat),
  ];
  for (const way of ways) {
    try {
      const to = await way();
      if (!to) continue;
      return await context.deliver(to, { text }, signal);
    } catch (cause) {
      signal.throwIfAborted();
      log.warn('the owner could not be told on one of the ways', { cause });
    }
  }
}
