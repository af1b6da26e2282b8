import type { ChatAddress, ReceivedMessage } from '../../api/channels/driver.ts';
import type { Origin } from '../../api/provenance.ts';
import type { StoredEvent } from '../inbox/events.ts';

/** Something that somebody said, and that is answered in its turn. */
export interface Job {
  readonly event: StoredEvent;
  readonly address: ChatAddress;
  readonly isPrivate: boolean;
  /** The id of who said it. */
  readonly person: string;
  /** To which reactions and replies refer. */
  readonly message: string;
  /** Its messages: several for an album. Empty for a reaction. */
  readonly messages: ReceivedMessage[];
  /** The text for an event without a message, such as a reaction. */
  readonly text?: string;
  /** Who wrote what it refers to, where that was somebody else. */
  readonly untrusted?: readonly Origin[];
  /** Events that came to belong to it. */
  readonly others: number[];
}
