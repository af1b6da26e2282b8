import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { CommandHandler } from '../../command.ts';
import { setUpModel } from '../../setup/model-step.ts';
import type { SetupPlace, StepEnd } from '../../setup/step.ts';
import { setUpTelegram } from '../../setup/telegram-step.ts';

/** In the order in which they are asked. */
const steps: readonly {
  readonly name: string;
  readonly run: (place: SetupPlace) => Promise<StepEnd>;
}[] = [
  { name: 'model', run: setUpModel },
  { name: 'telegram', run: setUpTelegram },
];

/** Exit code 1 when something that the options ask for failed. */
export const run: CommandHandler = async (context) => {
  const { terminal, options, command, signal, home } = context;
  if (options.flag('model-key-stdin') && options.flag('telegram-token-stdin'))
    throw new PegboardError(
      'PEG_USAGE',
      'Only one of --model-key-stdin and --telegram-token-stdin can read stdin.',
    );
  const asks = terminal.interactive && !options.flag('yes');
  const host = await context.openHost({ mcp: 'off' });
  const place: SetupPlace = { terminal, options, command, signal, home, host, asks };
  const ends: StepEnd[] = [];
  for (const step of steps) {
    if (signal.aborted) return undefined;
    ends.push(options.values('skip').includes(step.name) ? 'skipped' : await step.run(place));
  }
  const { out } = terminal;
  if (!asks && ends.every((end) => end === 'skipped'))
    throw new PegboardError(
      'PEG_USAGE',
      'There is nothing to set up: say what with --model or --telegram-token-stdin, or run this on a terminal, which asks.',
    );
  out.line(`\nTalk to it:      ${out.style.name(pegboard)}`);
  out.line(`Keep it running: ${out.style.name(`${pegboard} start`)}`);
  out.line(`Look at it all:  ${out.style.name(`${pegboard} doctor`)}`);
  return ends.includes('failed') ? 1 : 0;
};
