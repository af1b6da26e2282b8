import { PegboardError } from '../../../../core/errors.ts';
import { resemblance } from '../../../../tools/look-alikes.ts';
import type { Context, Run } from '../../command.ts';
import { getServer } from '../../find-server.ts';
import { connectServers } from '../../wait-for-servers.ts';
import { createAsk } from '../../terminal/ask.ts';
import { showDiagnostics } from '../../terminal/diagnostics.ts';
import { oneLine } from '../../terminal/safe.ts';

/** Shows what changed and asks; --yes takes it as seen. Nothing to approve is not an error. */
export const run: Run = async (context) => {
  const { terminal, words, home } = context;
  const [name = '', ...wanted] = words;
  const host = await context.openHost();
  const server = getServer(host, name);
  await connectServers(host, context);
  const held = server.status().quarantined;
  const chosen = wanted.length === 0 ? held : held.filter((tool) => wanted.includes(tool));
  const unknown = wanted.find((tool) => !held.includes(tool));
  if (unknown !== undefined) {
    throw new PegboardError(
      'PEG_USAGE',
      `Nothing of ${name} called "${unknown}" waits for approval.${held.length > 0 ? ` There is: ${held.join(', ')}.` : ''}`,
    );
  }
  if (chosen.length === 0) {
    terminal.out.line(`Nothing of ${name} waits for approval.`);
    return 0;
  }
  const { diagnostics = [] } = await server.list();
  showDiagnostics(
    terminal.err,
    diagnostics.filter(({ hint }) => hint?.startsWith('pegboard mcp approve')),
    home,
  );
  for (const tool of chosen) {
    const resembling = resemblance(tool, name, host.registry.snapshot);
    if (resembling !== undefined)
      terminal.err.line(terminal.err.style.warning(`Careful: ${name}.${oneLine(tool)}: ${resembling}.`));
  }
  await confirm(chosen, context);
  for (const tool of chosen) await server.approve(tool);
  terminal.out.line(`Approved: ${chosen.map(oneLine).join(', ')}.`);
  return 0;
};

/** Throws PEG_NOBODY_TO_ASK and PEG_DECLINED. */
async function confirm(tools: readonly string[], { terminal, options, signal }: Context): Promise<void> {
  if (options.flag('yes')) return;
  const ask = createAsk(terminal);
  if (!ask)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'Nothing was approved: there is nobody to ask. Read the changes above, then say --yes.',
    );
  const answer = await ask({ message: `Approve ${tools.map(oneLine).join(', ')} as shown?` }, signal);
  if (answer.action !== 'accept') throw new PegboardError('PEG_DECLINED', 'Nothing was approved.');
}
