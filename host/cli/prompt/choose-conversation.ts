import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { usageError } from '../parse.ts';
import { atWorkplace } from '../workplace.ts';
import { terminalKey } from './chat/own-conversation.ts';
import type { Partner } from './chat/partner.ts';

/** Whether the command line begins another conversation, or names the one to go on with. */
export const isConversationChosen = ({ options }: Pick<Context, 'options'>): boolean =>
  options.flag('new') || options.flag('resume');

/** Follows `--new` and `--resume`; without one, the folder's last conversation goes on. Throws PEG_USAGE. */
export async function chooseConversation(
  host: Host,
  { options, command, terminal, signal }: Context,
  partner: Partner,
): Promise<void> {
  const [chosen, other] = ['continue', 'resume', 'new'].filter((name) => options.flag(name));
  if (other !== undefined) throw usageError(command, `--${chosen} and --${other} contradict each other.`);
  if (chosen === undefined || chosen === 'continue') return;
  const { commands } = await host.agents();
  const place = { key: terminalKey, agent: partner.chosen, isOwner: true, signal, ...atWorkplace(host) };
  const answer = await commands.run({ name: chosen, rest: options.value('resume') ?? '' }, place);
  const { writeText } = await import('./turn/plain-turn.ts');
  await writeText(answer ?? '', terminal.err);
  if (terminal.interactive) terminal.err.line();
}
