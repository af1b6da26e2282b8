import type { Message } from 'grammy/types';
import type { Origin } from 'pegboard';
import type { ChatAddress } from '../incoming/conversation.ts';
import type { StoredUpdate } from '../inbox/updates.ts';

/** Something that somebody said, and that is answered in its turn. */
export interface Job {
  readonly update: StoredUpdate;
  readonly place: ChatAddress;
  readonly user: number;
  /** To which reactions and replies refer. */
  readonly message: number;
  /** Its messages: several for an album. Empty for a reaction. */
  readonly messages: Message[];
  /** The text for an update without a message, such as a reaction. */
  readonly text?: string;
  /** Who wrote what it refers to, where that was somebody else. */
  readonly untrusted?: readonly Origin[];
  /** Updates that came to belong to it. */
  readonly others: number[];
}
