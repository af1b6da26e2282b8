import { loadConfigWithoutSecrets } from '../../../config.ts';
import { complete } from '../../complete.ts';
import type { CommandHandler } from '../../command.ts';
import { withCommands } from '../../find-command.ts';
import { listedPluginCommands } from '../../plugin-commands.ts';
import { splitWords } from '../../../core/text/shell-words.ts';

/** Errors print nothing, so that they don't disturb somebody who is typing. */
export const run: CommandHandler = async ({ words: [line = ''], terminal, surroundings, home, openHost }) => {
  const [, ...words] = splitWords(line) ?? [];
  if (/\s$/.test(line)) words.push('');
  const found = await complete(words, {
    commands: async () => withCommands(await listedPluginCommands(home, surroundings)),
    snapshot: async () => (await openHost()).registry.snapshot,
    servers: async () => {
      const { config } = await loadConfigWithoutSecrets(home, surroundings);
      return [...config.servers.keys()];
    },
  });
  for (const candidate of found) terminal.out.line(candidate);
};
