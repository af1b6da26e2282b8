/** "pegboard/terminal": what commands of the plugins that ship with Pegboard draw and read. It may change with any version. */
export type { CommandHandler, Context } from '../cli/command.ts';
export { absolutePath } from '../cli/absolute-path.ts';
export { usageError } from '../cli/parse.ts';
export type { CliSurroundings } from '../cli/surroundings.ts';
export { agree } from '../cli/terminal/agree.ts';
export { countDiagnostics, showDiagnostics } from '../cli/terminal/diagnostics.ts';
export { openSpinner } from '../cli/terminal/progress.ts';
export { oneLine } from '../cli/terminal/safe.ts';
export { showForm } from '../cli/terminal/show-form.ts';
export { renderTable } from '../cli/terminal/table.ts';
export type { Surface, Terminal } from '../cli/terminal/terminal.ts';
export { readStdin } from '../cli/tools/given-text.ts';
