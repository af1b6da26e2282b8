import { randomUUID } from 'node:crypto';
import type { ChannelDriver, ChatAddress, Clock, MessageContent, SendOptions } from 'pegboard';
import { perform } from './perform.ts';

/** Milliseconds within which a message is repeated at a service that ignores repetitions for a while. */
const repeatableMs = 60_000;

export interface SendOnceParts {
  readonly driver: Pick<ChannelDriver, 'send' | 'ignoresRepeats'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Sends a message, again if the service ignores repetitions. Throws a ChannelFailure if it is unknown whether it arrived. */
export async function sendOnce(
  to: ChatAddress,
  content: MessageContent,
  options: SendOptions,
  { driver, clock, signal }: SendOnceParts,
): Promise<string> {
  const { key = randomUUID() } = options;
  const { ignoresRepeats = false } = driver;
  const until = clock.monotonic() + (ignoresRepeats === 'for a minute' ? repeatableMs : 0);
  return await perform(() => driver.send(to, content, { ...options, key }, signal), {
    signal,
    clock,
    repeatable: () => ignoresRepeats === true || clock.monotonic() < until,
  });
}
