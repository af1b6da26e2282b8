import type { BotApi } from '../bot-api.ts';
import { toPayload, type ChatAddress } from '../incoming/conversation.ts';

/** Milliseconds: Telegram shows it for five seconds. */
const refreshMs = 4_000;

/** Shows "… is typing" until disposed. Ignores errors. */
export function showTyping(api: BotApi, place: ChatAddress): Disposable {
  const show = (): void => {
    api.raw.sendChatAction({ ...toPayload(place), action: 'typing' }).catch(() => {});
  };
  show();
  const timer = setInterval(show, refreshMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
