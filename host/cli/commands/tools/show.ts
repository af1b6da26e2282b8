import type { CommandHandler } from '../../command.ts';
import { getTool } from '../../tools/find-tool.ts';
import { showTool } from '../../tools/show-tool.ts';
import { toolToJson } from '../../tools/tool-json.ts';

export const run: CommandHandler = async (context) => {
  const host = await context.openHost();
  const tool = await getTool(host, context.words[0]!, context);
  const { terminal, options } = context;
  if (!options.flag('json')) {
    showTool(terminal.out, tool, host.home);
    return;
  }
  const { icon, command, outputSchema, annotations, origin } = tool;
  terminal.json({ ...toolToJson(tool), icon, command, outputSchema, annotations, origin });
};
