import type { Button, ChannelDriver, ChatAddress, MessageContent, SendOptions } from 'pegboard';
import { ChannelFailure, isHoldUp } from '../failure.ts';
import type { OutgoingPart } from './parts.ts';
import { perform } from './perform.ts';
import { sendOnce, type SendOnceParts } from './send-once.ts';

export interface SendPartOptions extends SendOnceParts {
  readonly driver: Pick<ChannelDriver, 'send' | 'ignoresRepeats' | 'edit' | 'remove' | 'react'>;
  readonly address: ChatAddress;
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
      return await quietly(() => driver.react?.(address, part.message, part.emoji, signal), options);
    case 'delete':
      return await quietly(() => driver.remove?.(address, part.message, signal), options);
  }
}

async function sendMessage(
  part: Extract<OutgoingPart, MessageContent>,
  sending: SendPartOptions,
): Promise<string> {
  const { driver, address, signal, clock, buttons, key, beforeSending } = sending;
  const { replyTo, edits } = part;
  const under = buttons ? { buttons } : {};
  if (part.kind === 'text' && edits !== undefined && driver.edit) {
    const isThere = await perform(() => driver.edit!(address, edits, part, under, signal), {
      signal,
      repeatable: true,
      clock,
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
  return await sendOnce(address, part, options, sending);
}

/**
 * Ignores failures of this action alone, such as a reaction that a group doesn't allow or a message that can't be
 * deleted any more.
 */
async function quietly(
  work: () => Promise<void> | undefined,
  { signal, clock }: SendOnceParts,
): Promise<undefined> {
  try {
    await perform(async () => await work(), { signal, repeatable: true, clock });
  } catch (thrown) {
    if (!(thrown instanceof ChannelFailure) || isHoldUp(thrown)) throw thrown;
  }
}
