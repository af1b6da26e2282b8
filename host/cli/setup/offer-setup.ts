import type { Host } from '../../host.ts';
import { commands } from '../commands.ts';
import type { Context } from '../command.ts';
import { parse } from '../parse.ts';
import { showForm } from '../terminal/show-form.ts';
import { runSetup } from './run-setup.ts';

/** The offer that a person may decline, once for each home. */
const offer = 'setup';

/** Asks whether to set up now, unless that was declined before, and does it. Only for a terminal. */
export async function offerSetup(
  host: Host,
  message: string,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
): Promise<void> {
  if (host.offers.isDeclined(offer)) return;
  const wants = await showForm({ terminal, signal }, ({ confirm }, streams) =>
    confirm({ ...streams, message }),
  );
  // Whoever cancels is asked again the next time.
  if (wants === undefined) return;
  await host.offers.decline(offer);
  if (!wants) return;
  const command = commands.find(({ name }) => name === 'setup')!;
  const { options } = parse(command, []);
  await runSetup({ terminal, signal, options, command, home: host.home, host, asks: true });
  terminal.err.line();
}
