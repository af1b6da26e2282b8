import type { Logger } from 'pegboard';
import type { PageMessages } from '../store/page-messages.ts';
import type { ChatEvent } from './wire.ts';

/** Other processes send to the chats too: it is only in the database. */
const lookMs = 250;

/** Tells which chats have changed while somebody looks. */
export function followChats(
  messages: PageMessages,
  streams: { readonly isOpen: boolean; send(event: ChatEvent): void },
  log: Logger,
): Disposable {
  let known: number | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || !streams.isOpen) return;
    isLooking = true;
    try {
      const version = await messages.version();
      if (known !== undefined && version !== known)
        streams.send({ type: 'chats', chats: await messages.changedSince(known) });
      known = version;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => {
    look().catch((cause: unknown) => log.warn('the chats could not be followed', { cause }));
  }, lookMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
