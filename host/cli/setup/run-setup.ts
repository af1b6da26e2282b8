import { pegboard } from '../../core/own-command.ts';
import { setUpBot } from './bot-step.ts';
import { discord, telegram } from './bots.ts';
import { checkOptions } from './check-options.ts';
import { modelsOf, setUpModel } from './model-step.ts';
import { readSecret } from './read-secret.ts';
import { setUpSelf } from './self-step.ts';
import { attempt, type SetupPlace, type SetupStep, type StepEnd } from './step.ts';
import { stepOfCommand } from './step-of-command.ts';

/** In the order in which they are asked. */
const steps: readonly { readonly name: string; readonly run: SetupStep }[] = [
  { name: 'model', run: setUpModel },
  { name: telegram.name, run: (place) => setUpBot(telegram, place) },
  { name: discord.name, run: (place) => setUpBot(discord, place) },
  { name: 'import', run: stepOfCommand('import', 'import') },
  { name: 'self', run: setUpSelf },
  { name: 'service', run: stepOfCommand('service install', 'service') },
];

/**
 * Runs all steps that aren't skipped. Returns the exit code: 1 when something failed, 130 when the person ended it with
 * Ctrl-C, which leaves the rest for another time.
 */
export async function runSetup(whole: Omit<SetupPlace, 'interrupt' | 'secret'>): Promise<number> {
  const { terminal, options, asks } = whole;
  const interrupted = new AbortController();
  const signal = AbortSignal.any([whole.signal, interrupted.signal]);
  checkOptions(
    whole,
    steps.map(({ name }) => name),
  );
  const open = { ...whole, signal, interrupt: () => interrupted.abort() };
  const place: SetupPlace = { ...open, secret: await readSecret(open) };
  const ends: StepEnd[] = [];
  if (signal.aborted) return stopped(ends, place);
  for (const step of steps) {
    ends.push(options.values('skip').includes(step.name) ? 'skipped' : await attempt(place, step));
    if (signal.aborted) return stopped(ends, place);
  }
  const failed = steps.filter((_, at) => ends[at] === 'failed').map(({ name }) => name);
  if (failed.length > 0) {
    const again = `${pegboard} setup${asks ? '' : ` --yes, with the options for ${failed.join(', ')}`}`;
    terminal.err.line(
      `Not set up: ${failed.join(', ')}. Correct what is said above, then run it again: ${again}`,
    );
    return 1;
  }
  const { out } = terminal;
  const hasModel = modelsOf(place).length > 0;
  out.line(`\n${hasModel ? 'Talk to it:     ' : 'Run its tools:  '} ${out.style.name(pegboard)}`);
  out.line(`Keep it running: ${out.style.name(`${pegboard} start`)}`);
  out.line(`Look at it all:  ${out.style.name(`${pegboard} doctor`)}`);
  return 0;
}

/** Says what stays of a set-up that was interrupted. */
function stopped(ends: readonly StepEnd[], { terminal }: SetupPlace): number {
  const done = steps.filter((_, at) => ends[at] === 'done').map(({ name }) => name);
  const kept = done.length === 0 ? 'nothing was changed' : `what is done stays (${done.join(', ')})`;
  terminal.err.line(`Set-up was stopped: ${kept}. Go on with it at any time: ${pegboard} setup`);
  return 130;
}
