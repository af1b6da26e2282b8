import type { DriverParts } from '../driver-parts.ts';
import { ChannelFailure } from '../failure.ts';
import { findLost, markOf } from '../outgoing/lost-message.ts';
import { perform } from '../outgoing/perform.ts';
import type { Step } from './steps.ts';
import type { AskPlace, AskStore, StoredAsk } from './store.ts';
import { optionsOf } from './view.ts';
import { shownAsk } from './edit-question.ts';

export type SendQuestionOptions = Pick<DriverParts, 'driver' | 'messages' | 'clock'> & {
  readonly store: AskStore;
  readonly signal: AbortSignal;
};

/** Sends a question once: one that was sent just before the process ended is reused. Returns the message's id. */
export async function sendQuestion(
  { address, message }: AskPlace,
  ask: StoredAsk,
  step: Step,
  { driver, messages, store, signal, clock }: SendQuestionOptions,
): Promise<string> {
  const text = shownAsk(ask, driver);
  const options = optionsOf(ask.token, step);
  const find = async (mark: string | null): Promise<string | undefined> =>
    mark === null
      ? undefined
      : await findLost({ to: address, mark, text, options }, { driver, messages, clock }, signal);
  const send = async (repeatable: boolean): Promise<string> => {
    const reply = { ...options, key: ask.token, ...(message !== undefined && { replyTo: message }) };
    return await perform(() => driver.send(address, { kind: 'text', ...text }, reply, signal), {
      signal,
      repeatable,
      clock,
    });
  };
  const sendOnce = async (): Promise<string> => {
    const mark = await markOf(address, { driver, messages });
    await store.move(ask.token, 'open', 'open', { mark });
    try {
      return await send(false);
    } catch (thrown) {
      if (!(thrown instanceof ChannelFailure) || thrown.kind !== 'unknown') throw thrown;
      // A second message is harmless: the token can be answered only once.
      return (await find(mark)) ?? (await send(true));
    }
  };
  return (await find(ask.mark)) ?? (await sendOnce());
}
