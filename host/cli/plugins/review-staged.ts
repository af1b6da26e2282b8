import { reviewPlugin } from '../../approvals/plugins.ts';
import { PegboardError } from '../../core/errors.ts';
import { exactLine, exactText, shownLine } from '../../core/foreign/shown-text.ts';
import type { Host } from '../../host.ts';
import type { StagedPlugin } from '../../plugins/elsewhere/stage.ts';
import type { Context } from '../command.ts';
import { createAsk } from '../terminal/ask.ts';
import { oneLine } from '../terminal/safe.ts';
import { withMargin } from '../terminal/with-margin.ts';
import type { PluginFacts } from './describe-staged.ts';

/** In front of each fact. */
const labelWidth = 11;

/** Shows everything about a staged plugin, with its files or what differs from those that were approved. */
export function showStaged(
  { manifest, lock }: StagedPlugin,
  {
    title,
    facts,
    notes = [],
  }: { readonly title: string; readonly facts: PluginFacts; readonly notes?: readonly string[] },
  host: Host,
  { terminal, options }: Context,
): number {
  const { detail, warnings } = reviewPlugin(manifest, host, lock.resolved);
  if (options.flag('json') && options.flag('dry-run')) return 0;
  // A dry run has no other result.
  const surface = options.flag('dry-run') ? terminal.out : terminal.err;
  const { style } = surface;
  surface.line(`${style.title(`${manifest.id} ${shownLine(title)}`)}: ${shownLine(manifest.description)}`);
  for (const [label, texts] of Object.entries(facts))
    for (const [at, text] of texts.entries())
      surface.line(`  ${style.quiet((at === 0 ? label : '').padEnd(labelWidth))} ${exactLine(text)}`);
  const lines = withMargin(exactText(detail).split('\n'), surface, (text) => text);
  for (const line of lines) surface.line(line);
  for (const text of [...notes, ...warnings]) surface.line(style.warning(`Careful: ${oneLine(text)}.`));
  return Object.values(facts).flat().length + lines.length;
}

/** Asks whether to go on, below `above` lines about it, unless --yes says so. Throws PEG_NOBODY_TO_ASK. */
export async function isWanted(
  question: string,
  { terminal, options, signal }: Context,
  above = 0,
): Promise<boolean> {
  if (options.flag('yes')) return true;
  const ask = createAsk(terminal, undefined, above);
  if (!ask)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'Nothing was changed: there is nobody to ask. Read what is shown above, then pass --yes.',
    );
  return (await ask({ message: question }, signal)).action === 'accept';
}
