export type Who = 'anna' | 'ben';

/** A message that the channel has sent, in its current state. */
export interface SaidMessage {
  readonly id: string;
  readonly text: string;
  /** Labels of its buttons. */
  readonly buttons: readonly string[];
}

/** A service outside the host's process, and its configuration. Each person has a chat of their own. */
export interface ChannelUnderTest extends AsyncDisposable {
  /** "telegram" */
  readonly name: string;
  /** Before the ids of messages in what the model reads. */
  readonly messageTag: string;
  /** As the service calls them. */
  readonly ids: { readonly [who in Who]: string };
  /** Their chats with the account. Default: the same as their ids. */
  readonly chats?: { readonly [who in Who]: string };
  /** Files of the home for the channel's plugin. */
  readonly files: { readonly [file: string]: string };
  /** Settings in pegboard.yaml, under `plugins`. */
  readonly plugins: { readonly [plugin: string]: object };
  readonly environment: { readonly [name: string]: string };
  /** Whether questions have buttons; otherwise they are answered with a text. */
  readonly hasButtons: boolean;
  /** Somebody writes to the account. */
  write(who: Who, text: string): Promise<void>;
  /** The service delivers the last message again. */
  repeat(): Promise<void>;
  press(who: Who, message: SaidMessage, label: string): Promise<void>;
  sentTo(who: Who): readonly SaidMessage[];
  /** For a service that delivers some events only while it is connected: resolves when it is. */
  connected?(): Promise<void>;
  /** The service takes nothing more: of the account, or for one chat. Disposing ends it; the person has to write then. */
  refuse(what: 'account' | Who): Disposable;
  /** For a service with tokens: the account gets another one, and the old one is refused. Returns its variable. */
  renewToken?(): { readonly [name: string]: string };
  /** Resolves when the channel has acknowledged everything. */
  taken(): Promise<void>;
  /** Called when a message has arrived at the service, before the channel gets the response. */
  onArrival(listener: () => void): void;
  /** Resolves with the first defined result of `find`. */
  until<T>(find: () => T | undefined | false): Promise<T>;
}

/** Opens a service. `home`: the path of the home that will use it. */
export type OpenChannel = (home: string) => Promise<ChannelUnderTest>;
