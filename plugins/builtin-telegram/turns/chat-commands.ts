import type { PluginContext } from 'pegboard';
import type { TelegramConfig } from '../config.ts';
import { showTools } from './show-tools.ts';

/** What Telegram offers while one types "/". `stop` is no command of these: it doesn't wait for its turn. */
export const commandList = [
  { command: 'new', description: 'Begin a fresh conversation' },
  { command: 'stop', description: 'Stop what the agent is doing' },
  { command: 'tools', description: 'What the agent can use; with a name or words, what fits' },
  { command: 'usage', description: 'What models were used for today' },
  { command: 'start', description: 'What this bot is' },
] as const;

export type ChatCommandContext = Pick<
  PluginContext<TelegramConfig>,
  'config' | 'agents' | 'dispatch' | 'registry' | 'usage' | 'startConversation'
>;

/** The answer in Markdown; undefined: it is none of ours, and the agent gets to read it. */
export async function runChatCommand(
  { name, rest }: { readonly name: string; readonly rest: string },
  conversation: string,
  context: ChatCommandContext,
): Promise<string | undefined> {
  switch (name) {
    case 'start':
    case 'help':
      return greeting(context);
    case 'new':
      await context.startConversation({ source: 'telegram', externalId: conversation });
      return 'A fresh conversation.';
    case 'tools':
      return await showTools(rest, context);
    case 'usage':
      return await showUsage(context);
    default:
      return undefined;
  }
}

function greeting({ agents, config }: ChatCommandContext): string {
  const { name, description } = agents.agentFor(config.agent);
  const commands = commandList.map(({ command, description: what }) => `/${command} – ${what}`);
  return `**${name}**\n${description}\n\nWrite what you want, or send a file or picture.\n\n${commands.join('\n')}`;
}

async function showUsage({ usage }: ChatCommandContext): Promise<string> {
  const today = usage.today();
  const lines = await usage.summarize('model', { from: today, to: today });
  if (lines.length === 0) return 'No model was used today.';
  const rows = lines.map(({ name, calls, input, output, cost, unpriced }) => {
    const price = unpriced === calls ? 'price unknown' : `$${cost.toFixed(4)}`;
    return `- ${name}: ${calls} calls, ${input} tokens in, ${output} out, ${price}`;
  });
  return `**Today, in all channels**\n${rows.join('\n')}`;
}
