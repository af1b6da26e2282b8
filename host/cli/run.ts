import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { blame, withoutGuard } from '../core/platform/exit-guard.ts';
import type { Host } from '../host.ts';
import { trusting, type HomeTrust } from '../home-trust.ts';
import { findHome } from '../home.ts';
import { admitHome } from './approvals/admit-home.ts';
import type { Command, Context } from './command.ts';
import { commands } from './commands.ts';
import { commandsIn, findCommand, withCommands, type FoundCommand } from './find-command.ts';
import { openInterrupts } from './interrupts.ts';
import { beforeEnd, checkCount, parse, type Parsed } from './parse.ts';
import { reportFailure } from './report-failure.ts';
import { createTerminal, type Terminal } from './terminal/terminal.ts';
import type { CliSurroundings } from './surroundings.ts';
import { warn } from './warn.ts';

/**
 * Runs the command that `args` name, with nothing around it but `given`, and returns the exit code. Never rejects: what went
 * wrong is on stderr.
 */
export async function runCli(args: readonly string[], given: CliSurroundings): Promise<number> {
  let terminal = createTerminal(given);
  let home: string | undefined;
  try {
    if (await showGroup(args, terminal)) return 0;
    const { command, args: own } = await locate(args, given);
    const parsed = parse(command, own);
    home = findHome(parsed.options.value('home'), given);
    terminal = { ...terminal, surroundings: { ...given, env: variablesFor(parsed, home, given) } };
    if (parsed.options.flag('help')) return await showHelp(command, home, terminal);
    checkCount(command, parsed.words);
    const report = (cause: unknown): Promise<number> => reportFailure(cause, { args, terminal, home });
    const tell = (text: string): void => warn(terminal, text);
    const keepServing = command.untilStopped ?? false;
    await using _crashes = reportCrashes({ report, tell, keepServing }, given);
    return await runCommand(command, parsed, home, terminal);
  } catch (cause) {
    return await reportFailure(cause, { args, terminal, home });
  }
}

/** What options set applies to this run and the programs that it starts. */
function variablesFor({ options }: Parsed, home: string, { env }: CliSurroundings): CliSurroundings['env'] {
  const own = options.flag('trust-home') ? trusting(home, env) : env;
  return options.flag('debug') ? { ...own, PEGBOARD_DEBUG: '1' } : own;
}

/** Plugins are only searched for words that Pegboard itself doesn't know. */
async function locate(args: readonly string[], surroundings: CliSurroundings): Promise<FoundCommand> {
  try {
    return findCommand(args);
  } catch (cause) {
    const home = findHome(homeIn(beforeEnd(args)), surroundings);
    const { shippedCommands } = await import('./shipped-commands.ts');
    try {
      return findCommand(args, shippedCommands(home));
    } catch {
      const { pluginCommands } = await import('./plugin-commands.ts');
      const more = await pluginCommands(home, surroundings);
      if (more.length === 0) throw cause;
      return findCommand(args, more);
    }
  }
}

/** What `--home DIR` or `--home=DIR` names, before it is known which command has options. */
function homeIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => word === '--home' || word.startsWith('--home='));
  if (at < 0) return undefined;
  return args[at] === '--home' ? args[at + 1] : args[at]!.slice('--home='.length);
}

/** Plugins of an unknown home are left out of the help. */
async function listedCommandsOfPlugins(home: string, user: CliSurroundings): Promise<readonly Command[]> {
  const { listedPluginCommands } = await import('./plugin-commands.ts');
  return await listedPluginCommands(home, user);
}

/** Closes everything that the command opened before it returns, also after a signal. */
async function runCommand(
  command: Command,
  parsed: Parsed,
  home: string,
  terminal: Terminal,
): Promise<number> {
  const { surroundings } = terminal;
  using interrupts = openInterrupts(surroundings);
  await using opened = new AsyncDisposableStack();
  const contextFor = (trust: HomeTrust): Context => ({
    ...parsed,
    command,
    terminal,
    surroundings,
    home,
    homeTrust: trust,
    signal: interrupts.signal,
    openScope: () => interrupts.openScope(),
    async openHost(how): Promise<Host> {
      const reading = trust !== 'known';
      const { createHost } = await import('../create-host.ts');
      const notice = (text: string): void => warn(terminal, text);
      const host = opened.use(
        await createHost({ ...how, home, surroundings, reading, notice, oneShot: how?.watch !== true }),
      );
      terminal.keepOut((text) => host.redact(text));
      terminal.useTheme(() => host.config.theme);
      return host;
    },
  });
  const interruptedWith = (): number | undefined => (command.untilStopped ? undefined : interrupts.exitCode);
  try {
    const { signal } = interrupts;
    const trust = await admitHome({ command, options: parsed.options, home, terminal, signal });
    const { run } = await command.load();
    const code = await run(contextFor(trust));
    return interruptedWith() ?? code ?? 0;
  } catch (cause) {
    // Errors while a command is being interrupted are not reported.
    const code = interruptedWith();
    if (code === undefined) throw cause;
    return code;
  }
}

async function showHelp(command: Command, home: string, { out, surroundings }: Terminal): Promise<number> {
  const { showCommandHelp, showOverview } = await import('./help.ts');
  const isListed = command.name === '' || !commands.includes(command);
  const more = isListed ? await listedCommandsOfPlugins(home, surroundings) : [];
  if (command.name === '') showOverview(out, more);
  else showCommandHelp(out, command, more);
  return 0;
}

/** `pegboard mcp --help` lists the group's commands, and so does the name alone of a group without a `list`. */
async function showGroup(args: readonly string[], { out, surroundings }: Terminal): Promise<boolean> {
  const [group, ...others] = args;
  if (group === undefined || group.startsWith('-') || others.some((arg) => arg !== '--help' && arg !== '-h'))
    return false;
  if (commands.some(({ name }) => name === group)) return false;
  const hasList = (all: readonly Command[]): boolean => all.some(({ name }) => name === `${group} list`);
  if (others.length === 0 && hasList(commands)) return false;
  const { shippedCommands } = await import('./shipped-commands.ts');
  const home = findHome(undefined, surroundings);
  if (shippedCommands(home).some(({ name }) => name === group)) return false;
  const all = withCommands(await listedCommandsOfPlugins(home, surroundings));
  const members = commandsIn(group, all);
  if (members.length === 0 || all.some(({ name }) => name === group)) return false;
  if (others.length === 0 && hasList(all)) return false;
  const { showGroupHelp } = await import('./help.ts');
  showGroupHelp(out, group, members);
  return true;
}

interface Crashes {
  readonly report: (cause: unknown) => Promise<number>;
  readonly tell: (text: string) => void;
  /** The command serves clients; what plugins report is shown while it does. */
  readonly keepServing: boolean;
}

/**
 * What nobody has caught fails the plugin whose code threw it. Of the host's own, it is reported like any other error
 * instead of as Node's stack trace: an exception ends the process, since its state is unknown; a rejection doesn't end
 * a command that serves clients.
 */
function reportCrashes(
  { report, tell, keepServing }: Crashes,
  { signals, exit }: CliSurroundings,
): AsyncDisposable {
  // While it serves, the log tells the owner.
  let isLogged = keepServing;
  const isPlugins = (cause: unknown): boolean => {
    const blamed = blame(cause);
    if (blamed && !blamed.isTold && !isLogged) tell(blamed.error.message);
    return blamed !== undefined;
  };
  const end = (cause: unknown): void => void report(cause).then((code) => withoutGuard(() => exit(code)));
  const onException = (cause: unknown): void => {
    if (!isPlugins(cause)) end(cause);
  };
  const onRejection = (cause: unknown): void => {
    if (isPlugins(cause)) return;
    if (keepServing) void report(cause);
    else end(cause);
  };
  signals.on('uncaughtException', onException);
  signals.on('unhandledRejection', onRejection);
  return {
    async [Symbol.asyncDispose]() {
      // What was thrown while the last plugin was closed comes with the next turn.
      isLogged = false;
      await turnOfLoop();
      signals.off('uncaughtException', onException);
      signals.off('unhandledRejection', onRejection);
    },
  };
}
