import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pegboard, PegboardError } from 'pegboard';
import { type CommandHandler, type Context, oneLine, parseAddress, type SetupStep } from 'pegboard/terminal';
import { installService } from '../service/install.ts';
import { serviceManager, type ServiceManager } from '../service/manager.ts';
import { showProgram } from '../service/run-program.ts';
import { planService, serviceName } from '../service/service-file.ts';

export const setUp: SetupStep = async (place) =>
  (await import('../service/setup-step.ts')).setUpService(place);

/** `service install`, `uninstall`, `status` and `logs`. */
export const run: CommandHandler = async (context) => {
  const manager = await serviceManager(context.surroundings);
  switch (context.command.name) {
    case 'service install':
      return await install(manager, context);
    case 'service uninstall':
      return await uninstall(manager, context);
    case 'service status':
      return await status(manager, context);
    default:
      return await logs(manager, context);
  }
};

async function install(
  manager: ServiceManager,
  { home, options, terminal, surroundings, command }: Context,
): Promise<void> {
  const http = options.value('http');
  if (http !== undefined) parseAddress(http, command);
  const plan = planService(home, http, surroundings);
  if (!options.flag('dry-run')) return await installService(manager, plan, { home, terminal });
  terminal.err.line(terminal.err.style.title(oneLine(manager.fileOf(plan.name))));
  terminal.out.line(manager.describe(plan).trimEnd());
}

async function uninstall(manager: ServiceManager, { home, terminal }: Context): Promise<void> {
  const { name, file } = installed(manager, home, ' Nothing was changed.');
  await manager.check();
  await manager.stop(name);
  await rm(file, { force: true });
  await manager.forget();
  const { out } = terminal;
  out.line(`${out.style.good('uninstalled')} ${name}. The home is unchanged: ${oneLine(home)}`);
}

/** Exit code 1 when it doesn't run. */
async function status(manager: ServiceManager, { home, options, terminal }: Context): Promise<number> {
  const name = serviceName(home);
  const file = manager.fileOf(name);
  const isInstalled = existsSync(file);
  if (isInstalled) await manager.check();
  const { state, running, pid } = isInstalled
    ? await manager.state(name)
    : { state: 'not installed', running: false, pid: undefined };
  if (options.flag('json')) {
    terminal.json({ name, manager: manager.title, file, installed: isInstalled, state, running, pid });
    return running ? 0 : 1;
  }
  const { out } = terminal;
  const shown = running ? out.style.good(state) : out.style.warning(state);
  out.line(`${out.style.title(name)} ${shown}${pid === undefined ? '' : `, process ${pid}`}`);
  out.line(isInstalled ? oneLine(file) : `\`${pegboard} service install\` installs it.`);
  return running ? 0 : 1;
}

async function logs(
  manager: ServiceManager,
  { home, options, surroundings, signal }: Context,
): Promise<number> {
  const { name } = installed(manager, home);
  const [program, ...args] = manager.logs({ name, home }, options.flag('follow'));
  const code = await showProgram([program, ...args], surroundings, signal);
  return signal.aborted ? 0 : code;
}

/** Throws PEG_USAGE. */
function installed(
  manager: ServiceManager,
  home: string,
  hint = ` Install it with: ${pegboard} service install`,
): { readonly name: string; readonly file: string } {
  const name = serviceName(home);
  const file = manager.fileOf(name);
  if (existsSync(file)) return { name, file };
  throw new PegboardError('PEG_USAGE', `No service is installed for ${home} (there is no ${file}).${hint}`);
}
