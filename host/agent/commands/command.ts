import type { CommandPlace } from '../../api/channels/chat-commands.ts';
import type { ConversationKey } from '../../api/conversation.ts';
import type { UsageStats } from '../../api/store/usage.ts';
import type { Sessions } from '../../store/conversations/sessions.ts';
import type { ConverseServices } from '../services.ts';

/** What the host provides to commands. */
export interface CommandServices extends ConverseServices {
  /** Absolute path. */
  readonly home: string;
  readonly sessions: Sessions;
  readonly usage: UsageStats;
  /** Whether nobody but the owner writes in the chat of this conversation. */
  readonly onlyOwnerWrites: (key: ConversationKey) => Promise<boolean>;
}

/** Returns the answer in Markdown. */
export type RunCommand = (rest: string, place: CommandPlace, services: CommandServices) => Promise<string>;
