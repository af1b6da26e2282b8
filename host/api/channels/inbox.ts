/** An event of a service, in the form in which it is stored. */
export interface RawEvent {
  /** The service's id. An event with a known id is a repeated delivery. */
  readonly id: string;
  /** A JSON value, passed to `ChannelDriver.read`. */
  readonly body: unknown;
}

export interface ChannelInbox {
  /**
   * Resolves when the events are on disk. Acknowledge them to the service only then. Rejects when they can't be stored, as
   * on a full disk: hand them over again later. What is not for the account is not stored. `position`: a JSON value. It
   * replaces the stored one in the same transaction, or if there is nothing to store with it, within a minute.
   */
  take(events: readonly RawEvent[], position?: object): Promise<void>;
  /**
   * Where to go on: the last position that a `take` of this account has stored, in any process. For services that don't
   * keep it themselves.
   */
  readonly position: object | undefined;
  /**
   * Takes what was written while nothing was received, for services that don't deliver it: from `history`, in the chats with
   * a message of the last two months, and in the private ones of the people who may write. `seenMs`: when the last message
   * was written that was received, in milliseconds since 1970 by the service's clock. Undefined: there was none, and what
   * was written within a day is taken.
   */
  catchUp(seenMs: number | undefined, signal: AbortSignal): Promise<void>;
}

/**
 * What a driver says about its connection, for the owner. The host calls both itself when `connect` or `listen` fails, and
 * `working` when `connect` resolves and when events are on disk.
 */
export interface ConnectionStatus {
  /** Failed attempts since it worked. */
  readonly failures: number;
  /** The service answers again. */
  working(): void;
  /** The service refuses, or can't be reached; the driver goes on trying. `fix`: what the owner can do. */
  failing(message: string, fix?: string): void;
}
