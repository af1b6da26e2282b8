import { loadConfigWithoutSecrets } from '../../../config.ts';
import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { removeServer } from '../../../write-config.ts';
import type { CommandHandler } from '../../command.ts';

export const run: CommandHandler = async ({ home, words, terminal, surroundings }) => {
  const [name = ''] = words;
  const files = await removeServer(home, surroundings, name);
  if (files.length > 0) return terminal.out.line(`${name} is removed from ${files.join(' and ')}.`);
  const { config } = await loadConfigWithoutSecrets(home, surroundings);
  const [near] = nearest(name, config.servers.keys());
  throw new PegboardError(
    'PEG_USAGE',
    `There is no MCP server "${name}" in ${home}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
};
