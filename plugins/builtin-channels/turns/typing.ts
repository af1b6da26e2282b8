import type { ChannelDriver, ChatAddress } from 'pegboard';

/** Milliseconds: services show it for five seconds or longer. */
const refreshMs = 4_000;

/** Shows "… is typing" until disposed. Ignores errors. */
export function showTyping(driver: Pick<ChannelDriver, 'typing'>, to: ChatAddress): Disposable | undefined {
  if (!driver.typing) return undefined;
  const show = (): void => void driver.typing?.(to).catch(() => {});
  show();
  const timer = setInterval(show, refreshMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
