import type { CommandHandler } from '../../command.ts';
import { commandsIn, findCommand, withCommands } from '../../find-command.ts';
import { showCommandHelp, showGroupHelp, showOverview } from '../../help.ts';
import { listedPluginCommands } from '../../plugin-commands.ts';

export const run: CommandHandler = async ({ terminal, surroundings, words, home }) => {
  const { out } = terminal;
  const more = await listedPluginCommands(home, surroundings);
  if (words.length === 0) return showOverview(out, more);
  const members = words.length === 1 ? commandsIn(words[0]!, withCommands(more)) : [];
  if (members.length > 0) showGroupHelp(out, words[0]!, members);
  else showCommandHelp(out, findCommand(words, more).command, more);
};
