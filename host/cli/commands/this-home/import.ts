import { pegboard } from '../../../core/own-command.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { shownText } from '../../../core/foreign/shown-text.ts';
import { PegboardError } from '../../../core/errors.ts';
import { applyImport, type ImportReport } from '../../import/apply-import.ts';
import { readForeignHome } from '../../import/find-home.ts';
import type { ForeignHome } from '../../import/foreign-home.ts';
import { oneLine } from '../../terminal/safe.ts';
import { showForm } from '../../terminal/show-form.ts';

export const run: CommandHandler = async (context) => {
  const { home, words, options, terminal, signal, openHost } = context;
  const [program = '', folder] = words;
  const found = readForeignHome(program, folder);
  const dryRun = options.flag('dry-run');
  if (!dryRun && !options.flag('yes') && !(await agree(found, context))) return;
  const report = await applyImport(home, found, {
    dryRun,
    signal,
    openHost: () => openHost({ mcp: 'off' }),
  });
  if (options.flag('json')) terminal.json({ program, folder: found.folder, dryRun, ...report });
  else show(report, found, context);
};

async function agree(found: ForeignHome, { terminal, signal, options }: Context): Promise<boolean> {
  const { program, folder, files, memories, space } = found;
  if (!terminal.interactive || options.flag('json'))
    throw new PegboardError(
      'PEG_USAGE',
      'Nobody can be asked here: pass --yes to import, or --dry-run to see what would be done. Nothing was changed.',
    );
  terminal.err.line(
    `${program} in ${oneLine(folder)}: ${files.length} files for the space ${space}, ${memories.length} memories`,
  );
  const answer = await showForm({ terminal, signal }, ({ confirm }, streams) =>
    confirm({ ...streams, message: 'Import them?', initialValue: false }),
  );
  return answer === true;
}

function show(
  { files, memories, known, leftOut }: ImportReport,
  { space }: ForeignHome,
  { terminal, options }: Context,
): void {
  const { out } = terminal;
  const dryRun = options.flag('dry-run');
  out.line(out.style.title(dryRun ? 'Would be taken' : 'Taken'));
  for (const file of files) out.line(`  ${out.style.good('+')} ${oneLine(file)}`);
  out.line(`  ${out.style.good('+')} ${memories === 1 ? '1 memory' : `${memories} memories`}`);
  if (known > 0) out.line(`  ${out.style.quiet('=')} ${known} that were here already`);
  if (leftOut.length > 0) out.line(out.style.title('Not taken'));
  for (const { what, from, why, command } of leftOut) {
    out.line(`  ${out.style.quiet('-')} ${oneLine(`${what} (${from}): ${why}`)}`);
    if (command !== undefined) for (const line of shownText(command).split('\n')) out.line(`      ${line}`);
  }
  if (dryRun || files.length === 0) return;
  out.line(`\nReview and approve it:  ${out.style.name(`${pegboard} approvals allow spaces/${space}`)}`);
  out.line(`Then talk to it:        ${out.style.name(`${pegboard} chat --agent ${space}`)}`);
}
