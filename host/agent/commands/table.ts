import type { ChatCommand } from '../../api/channels/driver.ts';

export interface ConversationCommand {
  /** What follows its name. */
  readonly usage: string;
  readonly summary: string;
  /** Whether it needs the clipboard of a terminal, so that services don't suggest it. */
  readonly inTerminal?: true;
}

/** In the order of a help. */
export const conversationCommands = {
  new: { usage: '', summary: 'Start a new conversation; this one is kept' },
  resume: { usage: '[NUMBER|TITLE]', summary: 'List earlier conversations, or go on with one' },
  rename: { usage: '[TITLE]', summary: 'Name this conversation; without a title, the model does' },
  rewind: { usage: '[NUMBER]', summary: 'List your messages, or go back to before one; nothing is deleted' },
  compact: {
    usage: '[WHAT TO KEEP]',
    summary: 'Let the model read a summary of the older part instead of all of it',
  },
  context: { usage: '', summary: "Show what fills the model's context window" },
  cost: { usage: '', summary: 'Show what this conversation and today have cost' },
  tools: { usage: '[WORDS]', summary: 'What the agent can use; with a name or words, what fits' },
  usage: { usage: '', summary: 'What models were used for today' },
  copy: {
    usage: '[code]',
    summary: 'Copy the last answer, or its last code block, to the clipboard',
    inTerminal: true,
  },
  'save-script': { usage: 'NAME', summary: 'Make the last script that the agent ran a tool' },
} as const satisfies { readonly [name: string]: ConversationCommand };

export type ConversationCommandName = keyof typeof conversationCommands;

const aliases: { readonly [name: string]: ConversationCommandName } = {
  clear: 'new',
  sessions: 'resume',
};

/** Undefined for another command. */
export function conversationCommandOf(written: string): ConversationCommandName | undefined {
  const name = written.replaceAll('_', '-');
  const own = Object.hasOwn(aliases, name) ? aliases[name]! : name;
  return Object.hasOwn(conversationCommands, own) ? (own as ConversationCommandName) : undefined;
}

/** For services that suggest commands. */
export const chatCommandList: readonly ChatCommand[] = Object.entries<ConversationCommand>(
  conversationCommands,
)
  .filter(([, { inTerminal }]) => !inTerminal)
  .map(([name, { usage, summary }]) => ({
    command: name.replaceAll('-', '_'),
    description: summary,
    ...(usage !== '' && { words: usage.replaceAll(/[[\]]/g, '').toLowerCase() }),
  }));
