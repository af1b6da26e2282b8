import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { openFolder } from 'pegboard/files';
import { createFile, plural, writeFileAtomically } from 'pegboard/kit';
import { agree, type Context, openSpinner } from 'pegboard/terminal';
import { checkPlan, type CheckedPlan, type PlannedFile } from './check-plan.ts';
import { lintWritten } from './lint-written.ts';
import { newReceivers, type NewReceiver } from './new-receivers.ts';
import { planToJson } from './plan-json.ts';
import { showNextSteps, showPlan } from './show-plan.ts';
import { pendingSecrets, storeSecrets } from './store-secrets.ts';
import type { ToolPlan } from './tool-plan.ts';

/**
 * Shows what would be written, asks, writes it, lints it, and asks for the secrets. Files that somebody has changed are
 * kept. Returns the exit code: 1 if nothing could be made of the source.
 */
export async function offerTools(given: ToolPlan, context: Context): Promise<number> {
  const { home, terminal, options } = context;
  const checked = await checkWaiting(given, context);
  const writable = checked.files.filter(({ state }) => state === 'new' || state === 'changed');
  const isDry = options.flag('dry-run');
  const asJson = options.flag('json');
  let host: Promise<Host> | undefined;
  const openHost = (): Promise<Host> => (host ??= context.openHost({ mcp: 'off' }));
  const receivers = await newReceivers(given, context, isDry ? undefined : openHost);
  const plan = { ...given, notes: [...given.notes, ...receivers.map(noteOf)] };
  if (!isDry && writable.length > 0) {
    if (!options.flag('yes')) await confirm(plan, checked, writable, context);
    await confirmReceivers(receivers, context);
  }
  if ((isDry || options.flag('yes') || writable.length === 0) && !asJson)
    showPlan(terminal.out, plan, checked, { isDry });
  if (!isDry) for (const file of writable) await write(file);
  const diagnostics = isDry
    ? checked.files.flatMap(({ warnings }) => warnings)
    : await lintWritten(home, checked);
  const pending = await pendingSecrets(checked.secrets, context, isDry ? undefined : openHost);
  if (asJson) terminal.json(planToJson(plan, checked, { home, isDry, diagnostics, pending }));
  else if (!isDry && checked.files.length > 0) {
    const mayAsk = terminal.interactive && !options.flag('yes');
    const secrets = mayAsk ? await storeSecrets(pending, openHost, context) : pending;
    showNextSteps(plan, { written: writable.length, checked, diagnostics, secrets }, context);
  }
  return checked.files.length === 0 ? 1 : 0;
}

async function checkWaiting(plan: ToolPlan, { home, terminal }: Context): Promise<CheckedPlan> {
  using _ = openSpinner(terminal, 'Checking');
  return await checkPlan(home, plan);
}

/** Throws PEG_DECLINED, and PEG_USAGE where nobody can be asked. */
async function confirm(
  plan: ToolPlan,
  checked: CheckedPlan,
  writable: readonly PlannedFile[],
  context: Context,
): Promise<void> {
  const { terminal, options } = context;
  if (!terminal.interactive || options.flag('json'))
    throw new PegboardError(
      'PEG_USAGE',
      'Nobody can be asked here: pass --yes to import, or --dry-run to see what would be written. Nothing was changed.',
    );
  showPlan(terminal.err, plan, checked, { isDry: true });
  if (!(await agree(`Write ${plural(writable.length, 'tool')} into spaces/${plan.space}?`, context)))
    throw new PegboardError('PEG_DECLINED', 'Nothing was imported.');
}

const noteOf = ({ name, host }: NewReceiver): string =>
  `${name} has a value already, and would be sent to ${host}, where no tool sends it yet`;

/** Throws PEG_DECLINED, and PEG_USAGE where nobody can be asked: agreeing to tools is not agreeing to that. */
async function confirmReceivers(receivers: readonly NewReceiver[], context: Context): Promise<void> {
  const { terminal, options } = context;
  const mayAsk = terminal.interactive && !options.flag('yes') && !options.flag('json');
  for (const one of receivers) {
    if (!mayAsk)
      throw new PegboardError(
        'PEG_USAGE',
        `Nothing was imported: ${noteOf(one)}. Import it at a terminal without --yes to be asked, or rename the secret that is there.`,
      );
    if (!(await agree(`Send ${one.name}, which is there already, to ${one.host}?`, context)))
      throw new PegboardError('PEG_DECLINED', 'Nothing was imported.');
  }
}

async function write({ path, text, state }: PlannedFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // No link leads out of the home.
  using folder = openFolder(dirname(path));
  const file = join(folder.path, basename(path));
  if (state === 'new') await createFile(file, text, 0o644);
  else await writeFileAtomically(file, text, 0o644);
}
