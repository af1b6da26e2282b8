import { randomUUID } from 'node:crypto';
import type { ChannelDriver, ChatAddress, MessageContent, SendOptions } from '../../api/channels/driver.ts';
import { perform } from './perform.ts';

/** Milliseconds within which a message is repeated at a service that ignores repetitions for a while. */
const repeatableMs = 60_000;

/** Sends a message, again if the service ignores repetitions. Throws a ChannelFailure if it is unknown whether it arrived. */
export async function sendOnce(
  driver: Pick<ChannelDriver, 'send' | 'ignoresRepeats'>,
  to: ChatAddress,
  content: MessageContent,
  options: SendOptions,
  signal: AbortSignal,
): Promise<string> {
  const { key = randomUUID() } = options;
  const until = driver.ignoresRepeats === 'for a minute' ? performance.now() + repeatableMs : 0;
  return await perform(() => driver.send(to, content, { ...options, key }, signal), {
    signal,
    repeatable: () => performance.now() < until,
  });
}
