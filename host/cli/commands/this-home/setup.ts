import { PegboardError } from '../../../core/errors.ts';
import type { CommandHandler } from '../../command.ts';
import { runSetup } from '../../setup/run-setup.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options, command, signal, home } = context;
  if (options.flag('model-key-stdin') && options.flag('telegram-token-stdin'))
    throw new PegboardError(
      'PEG_USAGE',
      'Only one of --model-key-stdin and --telegram-token-stdin can read stdin.',
    );
  const asks = terminal.interactive && !options.flag('yes');
  const host = await context.openHost({ mcp: 'off' });
  return await runSetup({ terminal, options, command, signal, home, host, asks });
};
