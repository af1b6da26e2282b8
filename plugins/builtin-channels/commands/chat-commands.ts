import { type ChatCommand, PegboardError } from 'pegboard';
import type { ChannelParts } from '../channel-parts.ts';

/** Those of a channel itself. The router handles `stop`, which doesn't wait in the queue. */
const ownCommands: readonly ChatCommand[] = [
  { command: 'stop', description: 'Stop what the agent is doing' },
  { command: 'code', description: 'A code for the page in the browser; for the owner alone' },
  { command: 'start', description: 'What this bot is' },
];

/** The commands that services suggest when a user types "/". `shared`: those of every conversation. */
export const commandList = (shared: readonly ChatCommand[]): readonly ChatCommand[] => [
  ...shared,
  ...ownCommands,
];

type CommandParts = Pick<
  ChannelParts,
  'name' | 'vouchesForOwner' | 'settings' | 'context' | 'allowed' | 'signal'
>;

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
  if (name === 'start' || name === 'help') return greeting(parts);
  const isOwner = await isOwnerAlone(sender, parts);
  if (name === 'code') return showPageCode(isOwner, parts);
  const { context, settings, signal } = parts;
  const key = { source: parts.name, externalId: conversation };
  try {
    return await context.chatCommands.run({ name, rest }, { key, agent: settings.agent, isOwner, signal });
  } catch (cause) {
    if (!(cause instanceof PegboardError) || signal.aborted) throw cause;
    return cause.message;
  }
}

/** Whether only the owner has typed it and reads its answer. */
async function isOwnerAlone(
  { id, isPrivate }: CommandSender,
  { vouchesForOwner, allowed }: CommandParts,
): Promise<boolean> {
  return vouchesForOwner && isPrivate && id !== undefined && id === (await allowed.owner());
}

function showPageCode(isOwner: boolean, { context }: CommandParts): string {
  if (!isOwner) return 'Only the owner gets a code, in a private chat away from the page.';
  return `**${context.pageCode()}**\nType it on the page. It counts once, within ten minutes.`;
}

function greeting({ context, settings }: CommandParts): string {
  const { name, description } = context.agents.agentFor(settings.agent);
  const commands = commandList(context.chatCommands.list).map(
    ({ command, description: what }) => `/${command} – ${what}`,
  );
  return `**${name}**\n${description}\n\nWrite what you want, or send a file or picture.\n\n${commands.join('\n')}`;
}
