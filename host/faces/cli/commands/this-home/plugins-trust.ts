import { trustPlugin } from '../../approve/plugin.ts';
import type { Run } from '../../command.ts';

export const run: Run = async (context) => {
  await trustPlugin(await context.openHost({ mcp: 'off' }), context.words[0]!, context);
};
