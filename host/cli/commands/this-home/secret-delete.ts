import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import type { CommandHandler } from '../../command.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, words } = context;
  const [name] = words as [string];
  const host = await context.openHost({ mcp: 'off' });
  if (await host.secrets.delete(name)) return terminal.out.line(`${name} is deleted.`);
  const [near] = nearest(
    name,
    host.secrets.list().map((secret) => secret.name),
  );
  throw new PegboardError(
    'PEG_USAGE',
    `There is no secret "${name}".${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
};
