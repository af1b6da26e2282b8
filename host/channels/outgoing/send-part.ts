import type {
  Button,
  ChannelDriver,
  ChatAddress,
  MessageContent,
  SendOptions,
} from '../../api/channels/driver.ts';
import { ChannelFailure } from '../failure.ts';
import type { OutgoingPart } from './parts.ts';
import { perform } from './perform.ts';
import { sendOnce } from './send-once.ts';

export interface SendPartOptions {
  readonly driver: Pick<ChannelDriver, 'send' | 'ignoresRepeats' | 'edit' | 'remove' | 'react'>;
  readonly address: ChatAddress;
  readonly signal: AbortSignal;
  /** Shown under the message. */
  readonly buttons?: readonly Button[];
  /** See `SendOptions.key`. */
  readonly key?: string;
  /** Awaited before an action that must not be repeated. */
  readonly beforeSending?: () => Promise<void>;
}

/** Whether sending it must not be repeated, so that it is recorded before. */
export const isNewMessage = (part: OutgoingPart, { edit }: Pick<ChannelDriver, 'edit'>): boolean =>
  part.kind === 'file' || (part.kind === 'text' && (part.edits === undefined || !edit));

/**
 * Sends a part, however long the service makes us wait. Returns the id of the resulting message. Throws ChannelFailure
 * when the service refuses, or it is unknown whether the part arrived.
 */
export async function sendPart(part: OutgoingPart, options: SendPartOptions): Promise<string | undefined> {
  const { driver, address, signal } = options;
  switch (part.kind) {
    case 'text':
    case 'file':
      return await sendMessage(part, options);
    case 'react':
      return await quietly(() => driver.react?.(address, part.message, part.emoji, signal), signal);
    case 'delete':
      return await quietly(() => driver.remove?.(address, part.message, signal), signal);
  }
}

async function sendMessage(
  part: Extract<OutgoingPart, MessageContent>,
  { driver, address, signal, buttons, key, beforeSending }: SendPartOptions,
): Promise<string> {
  const { replyTo, edits } = part;
  const under = buttons ? { buttons } : {};
  if (part.kind === 'text' && edits !== undefined && driver.edit) {
    const isThere = await perform(() => driver.edit!(address, edits, part, under, signal), {
      signal,
      repeatable: true,
    });
    if (isThere) return edits;
  }
  const options: SendOptions = {
    ...under,
    ...(replyTo !== undefined && { replyTo }),
    ...(key !== undefined && { key }),
    ...(part.kind === 'text' && part.answer !== undefined && { answer: part.answer }),
  };
  await beforeSending?.();
  return await sendOnce(driver, address, part, options, signal);
}

/** Ignores failures, such as a reaction that a group doesn't allow or a message that can't be deleted any more. */
async function quietly(work: () => Promise<void> | undefined, signal: AbortSignal): Promise<undefined> {
  try {
    await perform(async () => await work(), { signal, repeatable: true });
  } catch (thrown) {
    if (!(thrown instanceof ChannelFailure)) throw thrown;
  }
}
