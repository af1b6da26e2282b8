import type { ConversationKey } from '../conversation.ts';
import type { Workplace } from '../known-folders.ts';
import type { ChatCommand } from './driver.ts';

/** Where a command was typed, and by whom. */
export interface CommandPlace {
  readonly key: ConversationKey;
  /** The agent that answers there. Default: the home's default agent. */
  readonly agent?: string | undefined;
  /** The owner typed it, where nobody else reads the answer. */
  readonly isOwner: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Where they stand, at the terminal. */
  readonly workplace?: Workplace;
  /** Puts a text on the clipboard of whoever typed it. Resolves with how: "with pbcopy". Undefined where that is impossible. */
  readonly toClipboard?: ((text: string) => Promise<string>) | undefined;
}

/** Commands of a conversation that people type after a slash, the same in every channel: "/compact". */
export interface ChatCommands {
  /** In the order of a help. Names have `_` instead of `-`, since some services allow no dash; both can be typed. */
  readonly list: readonly ChatCommand[];
  /**
   * Returns the answer in Markdown; undefined when there is no such command. Throws a PegboardError whose message says what
   * its person can do.
   */
  run(
    command: { readonly name: string; readonly rest: string },
    place: CommandPlace,
  ): Promise<string | undefined>;
}
