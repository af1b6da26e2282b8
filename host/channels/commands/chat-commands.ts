import { plural } from '../../core/text/plural.ts';
import type { ChatCommand } from '../../api/channels/driver.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { showTools } from './show-tools.ts';

/** The commands that services suggest when a user types "/". The router handles `stop`, which doesn't wait in the queue. */
export const commandList: readonly ChatCommand[] = [
  { command: 'new', description: 'Begin a fresh conversation' },
  { command: 'stop', description: 'Stop what the agent is doing' },
  { command: 'tools', description: 'What the agent can use; with a name or words, what fits' },
  { command: 'usage', description: 'What models were used for today' },
  { command: 'start', description: 'What this bot is' },
];

type CommandParts = Pick<ChannelParts, 'name' | 'settings' | 'context'>;

/** The answer in Markdown; undefined for an unknown command, which is passed to the agent. */
export async function runChatCommand(
  { name, rest }: { readonly name: string; readonly rest: string },
  conversation: string,
  parts: CommandParts,
): Promise<string | undefined> {
  const { context } = parts;
  switch (name) {
    case 'start':
    case 'help':
      return greeting(parts);
    case 'new':
      await context.startConversation({ source: parts.name, externalId: conversation });
      return 'A fresh conversation.';
    case 'tools':
      return await showTools(rest, parts);
    case 'usage':
      return await showUsage(context);
    default:
      return undefined;
  }
}

function greeting({ context, settings }: CommandParts): string {
  const { name, description } = context.agents.agentFor(settings.agent);
  const commands = commandList.map(({ command, description: what }) => `/${command} – ${what}`);
  return `**${name}**\n${description}\n\nWrite what you want, or send a file or picture.\n\n${commands.join('\n')}`;
}

async function showUsage({ usage }: CommandParts['context']): Promise<string> {
  const today = usage.today();
  const lines = await usage.summarize('model', { from: today, to: today });
  if (lines.length === 0) return 'No model was used today.';
  const rows = lines.map(({ name, calls, input, output, cost, unpriced }) => {
    const price = unpriced === calls ? 'price unknown' : `$${cost.toFixed(4)}`;
    return `- ${name}: ${plural(calls, 'call')}, ${input} tokens in, ${output} out, ${price}`;
  });
  return `**Today, in all channels**\n${rows.join('\n')}`;
}
