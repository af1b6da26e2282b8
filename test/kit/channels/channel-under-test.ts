export type Who = 'anna' | 'ben';

/** A message that the channel has sent, as it stands now. */
export interface SaidMessage {
  readonly id: string;
  readonly text: string;
  /** Labels of its buttons. */
  readonly buttons: readonly string[];
}

/** A service outside of the host's process, and what is needed to reach it. Each person has a chat of their own. */
export interface ChannelUnderTest extends AsyncDisposable {
  /** "telegram" */
  readonly name: string;
  /** Before the ids of messages in what the model reads. */
  readonly messageTag: string;
  /** As the service calls them. */
  readonly ids: { readonly [who in Who]: string };
  /** Of the home, for the plugin of the channel. */
  readonly files: { readonly [file: string]: string };
  /** In pegboard.yaml, under `plugins`. */
  readonly plugins: { readonly [plugin: string]: object };
  readonly environment: { readonly [name: string]: string };
  /** With buttons, questions have them; without, they are answered with a text. */
  readonly hasButtons: boolean;
  /** Somebody writes to the account. */
  write(who: Who, text: string): Promise<void>;
  /** The service sends what was written last once more. */
  repeat(): Promise<void>;
  press(who: Who, message: SaidMessage, label: string): Promise<void>;
  sentTo(who: Who): readonly SaidMessage[];
  /** Resolves when the channel has acknowledged everything. */
  taken(): Promise<void>;
  /** Called when a message to somebody has arrived, and before the channel hears that it has. */
  onArrival(listener: () => void): void;
  /** Resolves with what `find` finds. */
  until<T>(find: () => T | undefined | false): Promise<T>;
}

/** Opens a service. `home`: the path of the home that will use it. */
export type OpenChannel = (home: string) => Promise<ChannelUnderTest>;
