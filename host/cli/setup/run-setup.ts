import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import { setUpImport } from './import-step.ts';
import { setUpModel } from './model-step.ts';
import { setUpSelf } from './self-step.ts';
import { usageError } from '../parse.ts';
import type { SetupPlace, StepEnd } from './step.ts';
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

/** Runs all steps that aren't skipped. Returns the exit code: 1 when something that the options ask for failed. */
export async function runSetup(place: SetupPlace): Promise<number> {
  const { terminal, options, command, signal, asks } = place;
  const names = steps.map(({ name }) => name);
  for (const given of options.values('skip'))
    if (!names.includes(given))
      throw usageError(command, `--skip takes ${names.join(', ')}, not "${given}".`);
  if (options.flag('base-url') && !options.flag('model'))
    throw usageError(command, '--base-url needs --model, the name of the model there.');
  const ends: StepEnd[] = [];
  for (const step of steps) {
    if (signal.aborted) return 1;
    ends.push(options.values('skip').includes(step.name) ? 'skipped' : await step.run(place));
  }
  if (!asks && ends.every((end) => end === 'skipped'))
    throw new PegboardError(
      'PEG_USAGE',
      'There is nothing to set up: say what with --model, --telegram-token-stdin, --import, --self or --service, or run this on a terminal, which asks.',
    );
  // What the options asked for did not work, and they have said why.
  if (!asks && ends.every((end) => end === 'failed' || end === 'skipped')) return 1;
  const { out } = terminal;
  out.line(`\nTalk to it:      ${out.style.name(pegboard)}`);
  out.line(`Keep it running: ${out.style.name(`${pegboard} start`)}`);
  out.line(`Look at it all:  ${out.style.name(`${pegboard} doctor`)}`);
  return ends.includes('failed') ? 1 : 0;
}
