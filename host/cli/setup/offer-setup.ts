import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { noOptions } from '../options.ts';
import { agree } from '../terminal/agree.ts';
import { runSetup } from './run-setup.ts';

/** The offer that a person may decline, once for each home. */
const offer = 'setup';

/** Asks whether to set up now, unless that was declined before, and does it. Only for a terminal. */
export async function offerSetup(
  host: Host,
  message: string,
  { terminal, signal, command }: Pick<Context, 'terminal' | 'signal' | 'command'>,
): Promise<void> {
  if (host.offers.isDeclined(offer)) return;
  const wants = await agree(message, { terminal, signal }, 'yes');
  // Whoever cancels is asked again the next time.
  if (wants === undefined) return;
  await host.offers.decline(offer);
  if (!wants) return;
  await runSetup({ terminal, signal, options: noOptions, command, home: host.home, host, asks: true });
  terminal.err.line();
}
