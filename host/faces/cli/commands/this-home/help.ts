import type { Run } from '../../command.ts';
import { commandsIn, findCommand } from '../../find-command.ts';
import { showCommandHelp, showGroupHelp, showOverview } from '../../help.ts';

export const run: Run = async ({ terminal, words }) => {
  const { out } = terminal;
  if (words.length === 0) return showOverview(out);
  const members = words.length === 1 ? commandsIn(words[0]!) : [];
  if (members.length > 0) showGroupHelp(out, words[0]!, members);
  else showCommandHelp(out, findCommand(words).command);
};
