import type { ChatCommands } from '../../api/channels/chat-commands.ts';
import { conversationFolder } from '../../core/files/project.ts';
import type { CommandServices, RunCommand } from './command.ts';
import { chatCommandList, conversationCommandOf, type ConversationCommandName } from './table.ts';

/** Each is loaded when it is first typed. */
const runners: { readonly [name in ConversationCommandName]: () => Promise<RunCommand> } = {
  new: async () => startNew,
  resume: async () => (await import('./resume.ts')).resume,
  rename: async () => (await import('./rename.ts')).rename,
  rewind: async () => (await import('./rewind.ts')).rewind,
  compact: async () => (await import('./compact.ts')).compact,
  context: async () => (await import('./context.ts')).showContext,
  cost: async () => (await import('./cost.ts')).showCost,
  tools: async () => (await import('./show-tools.ts')).showTools,
  usage: async () => (await import('./cost.ts')).showUsage,
  copy: async () => (await import('./copy.ts')).copy,
  'save-script': async () => (await import('./save-script.ts')).saveScript,
};

export function createChatCommands(services: CommandServices): ChatCommands {
  return {
    list: chatCommandList,
    async run({ name, rest }, place) {
      const command = conversationCommandOf(name);
      if (command === undefined) return undefined;
      const run = await runners[command]();
      return await run(rest.trim(), place, services);
    },
  };
}

const startNew: RunCommand = async (_rest, { key, workplace }, { conversations }) => {
  await conversations.startNew(key, workplace && conversationFolder(workplace));
  return 'A fresh conversation.';
};
