import { plural } from '../../core/text/plural.ts';
import type { ChatCommand } from '../../api/channels/driver.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { pageSource } from '../page/page-source.ts';
import { showTools } from './show-tools.ts';

/** The commands that services suggest when a user types "/". The router handles `stop`, which doesn't wait in the queue. */
export const commandList: readonly ChatCommand[] = [
  { command: 'new', description: 'Begin a fresh conversation' },
  { command: 'stop', description: 'Stop what the agent is doing' },
  { command: 'tools', description: 'What the agent can use; with a name or words, what fits' },
  { command: 'usage', description: 'What models were used for today' },
  { command: 'code', description: 'A code for the page in the browser; for the owner alone' },
  { command: 'start', description: 'What this bot is' },
];

type CommandParts = Pick<ChannelParts, 'name' | 'settings' | 'context' | 'allowed'>;

/** Who wrote a command, and where. */
export interface CommandSender {
  readonly id: string | undefined;
  readonly isPrivate: boolean;
}

/** The answer in Markdown; undefined for an unknown command, which is passed to the agent. */
export async function runChatCommand(
  { name, rest }: { readonly name: string; readonly rest: string },
  { conversation, sender }: { readonly conversation: string; readonly sender: CommandSender },
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
    case 'code':
      return await showPageCode(sender, parts);
    default:
      return undefined;
  }
}

async function showPageCode(
  { id, isPrivate }: CommandSender,
  { name, allowed, context }: CommandParts,
): Promise<string> {
  // The page would vouch for itself.
  const isElsewhere = name !== pageSource;
  if (!isElsewhere || !isPrivate || id === undefined || id !== (await allowed.owner()))
    return 'Only the owner gets a code, in a private chat away from the page.';
  return `**${context.pageCode()}**\nType it on the page. It counts once, within ten minutes.`;
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
