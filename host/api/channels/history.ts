import type { ChatAddress, SendOptions, StyledMessage } from './driver.ts';
import type { RawEvent } from './inbox.ts';

/** Messages that the host has received, and sent messages whose ids it knows. */
export interface KnownMessages {
  has(chat: string, id: string): Promise<boolean>;
  /** The most recently stored message of each chat. */
  latest(): Promise<readonly { readonly chat: string; readonly id: string }[]>;
}

export interface HistoryQuery {
  readonly address: ChatAddress;
  readonly isPrivate: boolean;
  /** The id of a message, or a time by the service's clock. Empty: from the first one on. */
  readonly after: string | Date;
}

/** A message as the service has it. */
export interface HistoryMessage {
  readonly id: string;
  /** The account wrote it. */
  readonly isOwn: boolean;
  readonly text: string;
  /** `Button.data` of its buttons. */
  readonly buttons: readonly string[];
  /** The same as the one that is delivered. */
  readonly event: RawEvent;
}

export interface LostMessage {
  readonly to: ChatAddress;
  readonly mark: string;
  /** The text that replaces it. */
  readonly text: StyledMessage;
  readonly options: SendOptions;
}
