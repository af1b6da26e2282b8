import { loadConfigWithoutSecrets } from '../../../config.ts';
import { writeServer } from '../../../write-config.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { toServerEntry } from '../../servers/server-entry.ts';
import { connectAdded } from './connect-added.ts';

/** Adds a command or a URL as given; a name alone is looked up in the registry. */
export const run: CommandHandler = async (context) => {
  const { home, words, rest, options, command } = context;
  if (words.length < 2 && rest.length === 0) {
    const { addFound } = await import('./mcp-add-found.ts');
    return await addFound(context);
  }
  const stray = ['arg', 'as', 'from', 'registry'].find((option) => options.flag(option));
  if (stray !== undefined) throw usageError(command, `--${stray} only works with a server of the registry.`);
  const [name = ''] = words;
  const entry = toServerEntry(context);
  const { config } = await loadConfigWithoutSecrets(home, context.surroundings);
  if (config.servers.has(name) && !options.flag('force')) {
    throw usageError(command, `There is already a server ${name}. Use --force to replace it.`);
  }
  await writeServer(home, context.surroundings, name, entry, { replace: options.flag('force') });
  return await connectAdded(name, await context.openHost(), context);
};
