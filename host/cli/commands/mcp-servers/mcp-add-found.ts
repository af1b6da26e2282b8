import { loadConfigWithoutSecrets } from '../../../config.ts';
import { PegboardError } from '../../../core/errors.ts';
import { shortNameOf } from '../../../sources/mcp/registry/rank.ts';
import { writeServer } from '../../../write-config.ts';
import type { Context } from '../../command.ts';
import { toServerName } from '../../../servers/importable.ts';
import { usageError } from '../../parse.ts';
import { collectAnswers, chooseInstallOption } from '../../servers/registry/choose-install-option.ts';
import { findEntry } from '../../servers/registry/find-entry.ts';
import { openConfiguredRegistry } from '../../servers/registry/open.ts';
import { valueIn } from '../../../servers/add-servers.ts';
import { neededVariables } from '../../../servers/registry/needed-variables.ts';
import { commandOf } from '../../../servers/shown-config.ts';
import { showEntry, stepsFor } from '../../servers/registry/show-entry.ts';
import { checkServerName } from '../../servers/server-entry.ts';
import { createAsk } from '../../terminal/ask.ts';
import { connectAdded } from './connect-added.ts';

/** `mcp add NAME` with neither a command nor a URL: shows the registry's entry and writes it after a Yes. */
export async function addFound(context: Context): Promise<number> {
  const { home, words, options, terminal, command } = context;
  const registry = await openConfiguredRegistry(context);
  const server = await findEntry(registry, words[0] ?? '', context);
  if (server.status === 'deleted')
    throw new PegboardError(
      'PEG_DENIED',
      `${server.name} was removed from the registry. Nothing was changed.`,
    );
  const as = options.value('as') ?? toServerName(shortNameOf(server.name));
  checkServerName(as, command);
  const { config: current } = await loadConfigWithoutSecrets(home, context.surroundings);
  if (current.servers.has(as) && !options.flag('force'))
    throw usageError(
      command,
      `There is already a server ${as}. Use --as NAME to give it another name, or --force to replace it.`,
    );
  const { way, others } = chooseInstallOption(server, as, context);
  const cwd = options.value('cwd');
  const config = { ...way.toConfig(await collectAnswers(way, context)), ...(cwd !== undefined && { cwd }) };
  const host = await context.openHost();
  const variables = neededVariables(config, way, valueIn(host));
  showEntry({ server, config, variables, others }, terminal.err);
  await confirm(as, context);
  await writeServer(home, context.surroundings, as, { ...config }, { replace: options.flag('force') });
  const steps = stepsFor(variables, as);
  if (steps.length === 0) return await connectAdded(as, host, context);
  if (options.flag('json'))
    terminal.json({
      added: as,
      name: server.name,
      version: server.version,
      runs: commandOf(config),
      variables,
    });
  else {
    terminal.out.line(`${terminal.out.style.good('added:')} ${as}. Before it can start:`);
    for (const step of steps) terminal.out.line(step);
  }
  return 0;
}

/** Throws PEG_NOBODY_TO_ASK and PEG_DECLINED. */
async function confirm(as: string, { terminal, options, signal }: Context): Promise<void> {
  if (options.flag('yes')) return;
  const ask = createAsk(terminal);
  if (!ask)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'Nothing was changed: there is nobody to ask. Read what is shown above, then pass --yes.',
    );
  const { action } = await ask({ message: `Add it as ${as}, to run with your rights?` }, signal);
  if (action !== 'accept') throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
}
