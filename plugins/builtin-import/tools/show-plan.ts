import { type Diagnostic, pegboard } from 'pegboard';
import { plural, quoteWord, shortPath } from 'pegboard/kit';
import {
  type Context,
  countDiagnostics,
  oneLine,
  renderTable,
  showDiagnostics,
  type Surface,
} from 'pegboard/terminal';
import type { CheckedPlan, FileState } from './check-plan.ts';
import type { NeededSecret, ToolPlan } from './tool-plan.ts';

const marks: { readonly [state in FileState]: string } = { new: '+', changed: '~', same: '=', kept: '!' };
/** More warnings are counted, not shown. */
const maxWarnings = 5;
/** What is left out is named, up to this many. */
const maxLeftOut = 20;
/** Files that are kept are named, up to this many. */
const maxKept = 5;

/** Each tool with what it is for and whether it asks, then what has to be known before. */
export function showPlan(
  surface: Surface,
  { source, space, notes }: ToolPlan,
  { files, secrets, leftOut }: CheckedPlan,
  { isDry }: { readonly isDry: boolean },
): void {
  const { style } = surface;
  if (files.length === 0) surface.line(oneLine(`Nothing could be imported from ${source}.`));
  else {
    surface.line(style.title(oneLine(`${isDry ? 'Would be written' : 'Written'} from ${source}`)));
    const columns = [
      { title: '' },
      { title: '', paint: style.name },
      { title: '', paint: style.warning },
      { title: '', shrinks: true },
    ];
    const rows = files.map(({ state, manifest: { id, confirm, description } }) => [
      marks[state],
      `${space}.${id}`,
      confirm === true ? 'asks' : '',
      description,
    ]);
    for (const line of renderTable(surface, columns, rows, { indent: 2 })) surface.line(line);
    surface.line(`${asking(files)}${legend(files)}`);
  }
  for (const { name, use } of secrets) surface.line(oneLine(`Secret: ${name}, for ${use}`));
  for (const note of notes) surface.line(style.warning(oneLine(`Note: ${note}`)));
  if (leftOut.length > 0) surface.line(style.title('Not taken'));
  for (const { what, why } of leftOut.slice(0, maxLeftOut))
    surface.line(`  ${style.quiet('-')} ${oneLine(`${what}: ${why}`)}`);
  if (leftOut.length > maxLeftOut) surface.line(`  ${leftOut.length - maxLeftOut} more: --json has all`);
}

function asking(files: CheckedPlan['files']): string {
  const count = files.filter(({ manifest }) => manifest.confirm === true).length;
  if (files.length === 1) return `1 tool, which ${count === 1 ? 'asks before every run' : "doesn't ask"}`;
  const who = count === 0 ? 'none of them asks' : count === 1 ? '1 of them asks' : `${count} of them ask`;
  return `${files.length} tools, ${who} before every run`;
}

function legend(files: CheckedPlan['files']): string {
  const of = (state: FileState, meaning: string): readonly string[] => {
    const count = files.filter((file) => file.state === state).length;
    return count === 0 ? [] : [`${marks[state]} ${count} ${meaning}`];
  };
  const parts = [
    ...of('changed', 'changed in the source'),
    ...of('same', 'as they were'),
    ...of('kept', 'kept as you have them'),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

interface Written {
  readonly written: number;
  readonly checked: CheckedPlan;
  readonly diagnostics: readonly Diagnostic[];
  /** Those that have no value yet. */
  readonly secrets: readonly NeededSecret[];
}

/** What the linter says, and commands to go on with. */
export function showNextSteps(
  { source, space }: ToolPlan,
  { written, checked: { files }, diagnostics, secrets }: Written,
  { terminal: { out, err }, home }: Pick<Context, 'terminal' | 'home'>,
): void {
  for (const { path } of files.filter(({ state }) => state === 'kept').slice(0, maxKept))
    err.line(`${shortPath(path, home)} is kept: it is not as an import of ${source} wrote it`);
  if (written === 0) err.line('Nothing has changed.');
  else err.line(`${err.style.good('✓')} ${plural(written, 'file')} written in spaces/${space}/agent/tools`);
  if (diagnostics.length <= maxWarnings) showDiagnostics(err, diagnostics, home);
  err.line(
    diagnostics.length === 0
      ? err.style.good('No problems found.')
      : `${countDiagnostics(diagnostics)}: ${pegboard} lint spaces/${space}`,
  );
  const hint = (label: string, command: string): void =>
    out.line(`${label.padEnd(14)}${out.style.name(command)}`);
  for (const { name, isUserAndPassword } of secrets)
    hint(
      'Store it:',
      `${pegboard} secret set ${name}${isUserAndPassword ? '   (the Base64 form of user:password)' : ''}`,
    );
  hint('See them:', `${pegboard} tools ${space}`);
  const first = files.find(({ manifest }) => manifest.confirm !== true) ?? files[0]!;
  hint('Try one:', `${pegboard} call ${space}.${first.manifest.id}${argumentsOf(first.manifest)}`);
}

/** " petId=…" for each that must be given. */
function argumentsOf({ parameters = [], inputSchema }: CheckedPlan['files'][number]['manifest']): string {
  const required = inputSchema
    ? ((inputSchema['required'] ?? []) as readonly string[])
    : parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return required.map((name) => ` ${quoteWord(name)}=…`).join('');
}
