import type { CommandHandler } from '../../command.ts';
import { runSetup } from '../../setup/run-setup.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options, command, signal, home } = context;
  const asks = terminal.interactive && !options.flag('yes');
  const host = await context.openHost({ mcp: 'off' });
  return await runSetup({ terminal, options, command, signal, home, host, asks });
};
