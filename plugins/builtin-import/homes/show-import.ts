import { pegboard } from 'pegboard';
import { shownText } from 'pegboard/kit';
import { type Context, oneLine } from 'pegboard/terminal';
import type { ImportReport } from './report.ts';
import type { ForeignHome } from './foreign-home.ts';

/** What was taken, and what not and why. */
export function showImport(
  { files, memories, schedules, people, servers, renamed, known, leftOut }: ImportReport,
  { space, program, folder }: ForeignHome,
  { terminal, options }: Pick<Context, 'terminal' | 'options'>,
): void {
  const { out } = terminal;
  const dryRun = options.flag('dry-run');
  const nothing = [files, schedules, people, servers, leftOut].every(({ length }) => length === 0);
  if (nothing && memories + known === 0)
    return out.line(
      oneLine(
        `Nothing was taken: ${folder} has none of the files in which ${program} keeps what can be imported.`,
      ),
    );
  out.line(out.style.title(dryRun ? 'Would be taken' : 'Taken'));
  for (const file of files) out.line(`  ${out.style.good('+')} ${oneLine(file)}`);
  if (memories > 0)
    out.line(`  ${out.style.good('+')} ${memories === 1 ? '1 memory' : `${memories} memories`}`);
  const taken = (what: string, names: readonly string[], note = ''): void => {
    if (names.length > 0)
      out.line(`  ${out.style.good('+')} ${oneLine(`${what} ${names.join(', ')}${note}`)}`);
  };
  taken(schedules.length === 1 ? 'schedule' : 'schedules', schedules, ', paused');
  taken('may talk to the bot:', people);
  taken(servers.length === 1 ? 'MCP server' : 'MCP servers', servers);
  for (const { from, to } of renamed) out.line(`      ${oneLine(`"${from}" is called ${to} here`)}`);
  if ([files, schedules, people, servers].every(({ length }) => length === 0) && memories === 0)
    out.line('  nothing');
  if (known > 0) out.line(`  ${out.style.quiet('=')} ${known} that were here already`);
  if (leftOut.length > 0) out.line(out.style.title('Not taken'));
  for (const { what, from, why, command } of leftOut) {
    out.line(`  ${out.style.quiet('-')} ${oneLine(`${what} (${from}): ${why}`)}`);
    if (command !== undefined) for (const line of shownText(command).split('\n')) out.line(`      ${line}`);
  }
  if (dryRun) return;
  if (schedules.length > 0)
    out.line(
      `\nLet its schedules run:  ${out.style.name(`${pegboard} schedule resume ID`)}  (schedule list shows them)`,
    );
  if (files.length === 0) return;
  out.line(`\nReview and approve it:  ${out.style.name(`${pegboard} approvals allow spaces/${space}`)}`);
  out.line(`Then talk to it:        ${out.style.name(`${pegboard} chat --agent ${space}`)}`);
}
