import type { Run } from '../../command.ts';
import { getTool } from '../../find-tool.ts';
import { showTool } from '../../show-tool.ts';
import { toolToJson } from '../../tool-json.ts';

export const run: Run = async (context) => {
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
