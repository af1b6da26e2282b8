import { join } from 'node:path';
import { growYoungGenerationWhenBusy } from '../../../core/young-generation.ts';
import { writtenState } from '../../../compose/home-database.ts';
import { copyDaily } from '../../../store/database/daily-copies.ts';
import { databaseFileOf } from '../../../store/database/file.ts';
import { removeLeftovers } from '../../../store/database/leftovers.ts';
import { lockHome } from '../../../store/files/home-lock.ts';
import { restoreIfDamaged } from '../../../store/database/restore.ts';
import { healthPath } from '../../../core/http/request-guard.ts';
import type { CommandHandler } from '../../command.ts';
import { parseAddress } from '../../serving/address.ts';
import { HttpServing } from '../../serving/tokens.ts';
import type { Host } from '../../../host.ts';
import { showRunning } from '../../serving/show-running.ts';
import { showDiagnostics } from '../../terminal/diagnostics.ts';
import { plural } from '../../../core/text/plural.ts';
import { capIsNone } from '../../../agent/models/prices/unknown-price.ts';
import { uncappedModels } from '../../../doctor/spending.ts';
import { callable } from '../../../tools/access.ts';
import type { Surface } from '../../terminal/terminal.ts';
import { reportChanges } from '../../report-changes.ts';
import { untilStopped } from '../../until-stopped.ts';
import { openRunning } from '../../open-running.ts';
import { warn } from '../../warn.ts';

/** `start` and `dev`. */
export const run: CommandHandler = async (context) => {
  const { terminal, options, signal, command, home } = context;
  const development = command.name === 'dev';
  const http = options.flag('http');
  if (http) parseAddress(options.value('http')!, command);
  const isOnServer = writtenState(home) !== undefined;
  using lock = await lockHome(join(home, 'data/host.lock'), { shared: isOnServer });
  const restored = isOnServer ? undefined : await restoreIfDamaged(databaseFileOf(home));
  if (restored !== undefined) warn(terminal, restored);
  const host = await openRunning(context, { mcp: 'connect', watch: true, development });
  const channels = host.plugins.instances.flatMap((plugin) => Object.entries(plugin.channels));
  await host.hosts.join(Object.fromEntries(channels.map(([name, { identity = '' }]) => [name, identity])));
  const server = http
    ? await host.plugins.use(HttpServing)((serving) => serving.start(host, context))
    : undefined;
  // A port that changes with each start can't be reached again after a restart.
  if (server && parseAddress(options.value('http')!, command).port !== 0)
    await lock.noteHealth(new URL(healthPath, server.url).href);
  await host.plugins.startServices();
  await using _leftovers = removeLeftovers(home, host.log);
  // Copies of a database on a server are the server's.
  await using _copies =
    host.config.state === undefined ? copyDaily(databaseFileOf(home), host.log) : undefined;
  await using _tidying = host.keepTidy();
  await using _asking = await host.askAboutPending();
  host.announce();
  growYoungGenerationWhenBusy();
  const { style } = terminal.err;
  terminal.err.line(
    `${style.good('running')} ${plural(callable(host.registry.snapshot).length, 'tool')} of ${style.title(host.home)}`,
  );
  if (!development) showErrors(host, terminal.err);
  // Their servers may be asked, which must not hold up anything.
  uncappedModels(host).then(
    (names) => names.length > 0 && warn(terminal, capIsNone(names)),
    (cause: unknown) => host.log.debug('whether daily caps hold is unknown', { cause }),
  );
  using _running = showRunning(host, terminal.err);
  server?.show(terminal.err);
  using _reports = development ? reportChanges(host, terminal.err) : undefined;
  await untilStopped(signal);
  await server?.close();
};

/** Problems at startup. Those of later reloads are written to the log. */
function showErrors({ diagnostics, home }: Host, err: Surface): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) showDiagnostics(err, errors, home);
}
