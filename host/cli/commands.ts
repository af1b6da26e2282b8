import type { Command, Group } from './command.ts';
import { makingCommands } from './commands/making/table.ts';
import { mcpServerCommands } from './commands/mcp-servers/table.ts';
import { modelCommands } from './commands/models/table.ts';
import { pluginCommands } from './commands/plugins/table.ts';
import { servingCommands } from './commands/serving/table.ts';
import { sessionCommands } from './commands/sessions/table.ts';
import { stateCommands } from './commands/state/table.ts';
import { homeCommands } from './commands/this-home/table.ts';
import { toolCommands } from './commands/tools/table.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  ...inGroup('Tools', toolCommands),
  ...inGroup('MCP servers', mcpServerCommands),
  ...inGroup('Serving', servingCommands),
  ...inGroup('Making', makingCommands),
  ...inGroup('This home', modelCommands),
  ...inGroup('This home', pluginCommands),
  ...inGroup('This home', homeCommands),
  ...inGroup('This home', sessionCommands),
  ...inGroup('This home', stateCommands),
];

function inGroup(group: Group, table: readonly Omit<Command, 'group'>[]): Command[] {
  return table.map((command) => ({ ...command, group }));
}
