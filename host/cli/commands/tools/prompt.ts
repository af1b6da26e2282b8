import type { CommandHandler } from '../../command.ts';

export const run: CommandHandler = async (context) => {
  if (!context.terminal.interactive) return (await import('../../prompt/piped.ts')).runPiped(context);
  return (await import('../../prompt/interactive.ts')).runInteractive(context);
};
