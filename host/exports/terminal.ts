/** "pegboard/terminal": what commands of the plugins that ship with Pegboard draw and read. It may change with any version. */
export { absolutePath } from '../cli/absolute-path.ts';
export type { Command, CommandHandler, Context } from '../cli/command.ts';
export { openRunning } from '../cli/open-running.ts';
export { usageError } from '../cli/parse.ts';
export { parseAddress } from '../cli/serving/address.ts';
export type { CliSurroundings } from '../cli/surroundings.ts';
export { agree } from '../cli/terminal/agree.ts';
export { countDiagnostics, showDiagnostics } from '../cli/terminal/diagnostics.ts';
export { openUrl } from '../cli/terminal/open-url.ts';
export { openSpinner } from '../cli/terminal/progress.ts';
export { oneLine } from '../cli/terminal/safe.ts';
export { showForm } from '../cli/terminal/show-form.ts';
export { renderTable } from '../cli/terminal/table.ts';
export type { Surface, Terminal } from '../cli/terminal/terminal.ts';
export { readStdin } from '../cli/tools/given-text.ts';
export { modeOption } from '../cli/tools/mode-option.ts';
export { untilStopped } from '../cli/until-stopped.ts';
