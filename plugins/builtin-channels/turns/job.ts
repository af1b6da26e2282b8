import type { ChatAddress, Origin, ReceivedMessage } from 'pegboard';
import type { BegunEvent } from '../inbox/events.ts';

/** A message, reaction or button press that waits for its answer. */
export interface Job {
  readonly event: BegunEvent;
  readonly address: ChatAddress;
  readonly isPrivate: boolean;
  /** The sender's id. */
  readonly person: string;
  /** Id of the message that reactions and replies refer to. */
  readonly message: string;
  /** Its messages: several for an album; those of a split text are one. Empty for a reaction. */
  readonly messages: readonly ReceivedMessage[];
  /** The text for an event without a message, such as a reaction. */
  readonly text?: string;
  /** Origins of the text it refers to, if somebody else wrote it. */
  readonly untrusted?: readonly Origin[];
}
