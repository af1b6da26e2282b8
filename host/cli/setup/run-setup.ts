import { pegboard } from '../../core/own-command.ts';
import { importSources, setUpImport } from './import-step.ts';
import { setUpModel } from './model-step.ts';
import { setUpSelf } from './self-step.ts';
import { usageError } from '../parse.ts';
import { attempt, type SetupPlace, type StepEnd } from './step.ts';
import { setUpService } from './service-step.ts';
import { setUpTelegram } from './telegram-step.ts';

/** In the order in which they are asked. */
const steps: readonly {
  readonly name: string;
  readonly run: (place: SetupPlace) => Promise<StepEnd>;
}[] = [
  { name: 'model', run: setUpModel },
  { name: 'telegram', run: setUpTelegram },
  { name: 'import', run: setUpImport },
  { name: 'self', run: setUpSelf },
  { name: 'service', run: setUpService },
];

/**
 * Runs all steps that aren't skipped. Returns the exit code: 1 when something failed, 130 when the person ended it with
 * Ctrl-C, which leaves the rest for another time.
 */
export async function runSetup(whole: Omit<SetupPlace, 'interrupt'>): Promise<number> {
  const { terminal, options, asks } = whole;
  const interrupted = new AbortController();
  const signal = AbortSignal.any([whole.signal, interrupted.signal]);
  const place: SetupPlace = { ...whole, signal, interrupt: () => interrupted.abort() };
  checkOptions(place);
  const ends: StepEnd[] = [];
  for (const step of steps) {
    ends.push(options.values('skip').includes(step.name) ? 'skipped' : await attempt(place, step));
    if (signal.aborted) return stopped(ends, place);
  }
  // What the options asked for did not work, and they have said why.
  if (!asks && ends.every((end) => end === 'failed' || end === 'skipped')) return 1;
  const { out } = terminal;
  out.line(`\nTalk to it:      ${out.style.name(pegboard)}`);
  out.line(`Keep it running: ${out.style.name(`${pegboard} start`)}`);
  out.line(`Look at it all:  ${out.style.name(`${pegboard} doctor`)}`);
  return ends.includes('failed') ? 1 : 0;
}

/** Says what stays of a set-up that was interrupted. */
function stopped(ends: readonly StepEnd[], { terminal }: SetupPlace): number {
  const done = steps.filter((_, at) => ends[at] === 'done').map(({ name }) => name);
  const kept = done.length === 0 ? 'nothing was changed' : `what is done stays (${done.join(', ')})`;
  terminal.err.line(`Set-up was stopped: ${kept}. Go on with it at any time: ${pegboard} setup`);
  return 130;
}

/** Each of them gives a step something to do without questions. */
const wishes = ['model', 'telegram-token-stdin', 'import', 'self', 'service'] as const;

/** Throws PEG_USAGE before anything is changed. */
function checkOptions({ options, command, asks }: SetupPlace): void {
  const check = (option: string, known: readonly string[]): void => {
    const unknown = options.values(option).find((given) => !known.includes(given));
    if (unknown !== undefined)
      throw usageError(command, `--${option} takes ${known.join(', ')}, not "${unknown}".`);
  };
  check(
    'skip',
    steps.map(({ name }) => name),
  );
  check('import', importSources);
  if (options.flag('base-url') && !options.flag('model'))
    throw usageError(command, '--base-url needs --model, the name of the model there.');
  if (!asks && !wishes.some((wish) => options.flag(wish)))
    throw usageError(
      command,
      'There is nothing to set up: say what with --model, --telegram-token-stdin, --import, --self or --service, or run this on a terminal without --yes, where it asks.',
    );
}
