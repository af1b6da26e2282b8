import type { User } from '../core/platform/places.ts';
import { PegboardError } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import { loadConfigWithoutSecrets } from '../config.ts';
import { homeTrust } from '../home-trust.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { CommandCall } from '../api/plugin.ts';
import { shownText } from '../core/foreign/shown-text.ts';
import type { Host } from '../host.ts';
import { runCommand } from '../plugins/commands/run-command.ts';
import { importModule } from '../plugins/loading/import.ts';
import { isOff } from '../plugins/absent-tools.ts';
import { discoverPlugins } from '../plugins/loading/discover.ts';
import type { CommandDeclaration } from '../formats/plugin.ts';
import type { PluginManifest } from '../plugins/loading/manifest.ts';
import { createTrust } from '../store/owner/trust.ts';
import { storedUserState } from '../compose/home-secrets.ts';
import { groups, type Command, type CommandHandler, type Group } from './command.ts';
import { commands } from './commands.ts';
import { json } from './options.ts';
import { scopeOf } from './scope.ts';
import { createAsk } from './terminal/ask.ts';
import { warnOfPendingCode } from './tools/warn-of-pending-code.ts';
import { openSpinner } from './terminal/progress.ts';
import type { Surface } from './terminal/terminal.ts';
import { widthOf, wrap } from './terminal/width.ts';

/** Commands that the plugins of this home declare, read without running their code. Those of plugins that are off say so. */
export async function pluginCommands(home: string, user: User): Promise<readonly Command[]> {
  const { on, off } = await pluginsOf(home, user);
  return [
    ...on.flatMap(commandsOf),
    ...off.flatMap((one) => commandsOf(one).map((command) => refused(one, command))),
  ];
}

/** For an unknown home, only those that come with Pegboard. */
export async function listedPluginCommands(home: string, user: User): Promise<readonly Command[]> {
  const isKnown = homeTrust(home, user) === 'known';
  const { on } = await pluginsOf(home, user);
  return on.filter(({ builtin }) => builtin || isKnown).flatMap(commandsOf);
}

async function pluginsOf(
  home: string,
  user: User,
): Promise<{ readonly on: readonly PluginManifest[]; readonly off: readonly PluginManifest[] }> {
  const { config } = await loadConfigWithoutSecrets(home, user);
  const { manifests } = await discoverPlugins(home, config.plugins, createTrust(storedUserState(home, user)));
  const isOn = ({ id }: PluginManifest): boolean => config.plugins[id]?.enabled !== false;
  return { on: manifests.filter(isOn), off: manifests.filter((one) => !isOn(one)) };
}

/** The commands of the plugins that a running host has now. */
export const pluginCommandsOf = (host: Host): readonly Command[] => enabledIn(host).flatMap(commandsOf);

const enabledIn = ({ plugins }: Host): readonly PluginManifest[] =>
  plugins.states.filter(({ state }) => state !== 'disabled').map(({ manifest }) => manifest);

/** Commands of plugins that nobody can run, because Pegboard or another plugin has one of the same name. */
export function commandConflicts(host: Host): readonly Diagnostic[] {
  const holders = new Map(commands.map(({ name }) => [name, 'Pegboard itself']));
  const diagnostics: Diagnostic[] = [];
  for (const { id, path, commands: declared } of enabledIn(host)) {
    for (const name of Object.keys(declared)) {
      const holder = holders.get(name);
      if (holder === undefined) holders.set(name, `the plugin ${id} (${path})`);
      else
        diagnostics.push({
          severity: 'error',
          code: 'duplicate-command',
          message: `"${pegboard} ${name}" is the command of ${holder}; that of the plugin ${id} can't be run`,
          path,
          hint: 'give it another name',
        });
    }
  }
  return diagnostics;
}

function commandsOf(manifest: PluginManifest): readonly Command[] {
  return Object.entries(manifest.commands).map(([name, declared]) => toCommand(manifest, name, declared));
}

const ofPlugins: Group = 'From plugins';

function toCommand(manifest: PluginManifest, name: string, declared: CommandDeclaration): Command {
  const { id, builtin } = manifest;
  const { summary, details, usage = '', options = {}, group, examples, handler } = declared;
  const { home, takesProgram, untilStopped, before } = declared;
  return {
    name,
    group: builtin ? (groups.find((one) => one === group) ?? ofPlugins) : ofPlugins,
    summary,
    ...(details !== undefined && { details }),
    usage,
    options: [
      ...Object.entries(options).map(([option, about]) => ({ name: option, ...about })),
      ...(handler === undefined ? [json] : []),
    ],
    examples: (examples ?? [[name, usage].join(' ').trim()]).map((one) => `${pegboard} ${one}`),
    ...(builtin && before !== undefined && { before }),
    ...(builtin && handler !== undefined
      ? {
          ...(home !== undefined && { home }),
          ...(takesProgram !== undefined && { takesProgram }),
          ...(untilStopped !== undefined && { untilStopped }),
          load: () => importHandler(manifest, handler),
        }
      : { load: () => Promise.resolve({ run: runner(id, name) }) }),
  };
}

/** The module of a command that opens a host itself, if it needs one. */
async function importHandler(
  manifest: PluginManifest,
  handler: string,
): Promise<{ readonly run: CommandHandler }> {
  return (await importModule(manifest, handler)) as { readonly run: CommandHandler };
}

/** The command of a plugin that is off, which says so. */
const refused = (manifest: PluginManifest, command: Command): Command => ({
  ...command,
  usage: '[WORD…]',
  hidden: true,
  load: () =>
    Promise.reject(
      new PegboardError('PEG_CONFIG', `"${pegboard} ${command.name}" can't run: ${isOff(manifest.id)}`),
    ),
});

const runner =
  (plugin: string, name: string): CommandHandler =>
  async (context) => {
    const { terminal, words, options, signal, command } = context;
    const host = await context.openHost({ mcp: 'on-demand' });
    warnOfPendingCode(host, terminal);
    const given = (command.options ?? []).filter((option) => options.flag(option.name));
    using waiting = openSpinner(terminal, name);
    const ask = createAsk(terminal, waiting);
    const agent = options.value('agent');
    // An unknown agent is reported here, for all commands.
    if (agent !== undefined) host.scopeFor(agent);
    const call: CommandCall = {
      words,
      options: Object.fromEntries(
        given.map((option) => [option.name, option.value === undefined ? true : options.value(option.name)!]),
      ),
      out: (line) => printWrapped(terminal.out, line),
      json: (value) => terminal.json(value),
      progress: (done, total, what) => waiting.show({ progress: done, total, message: what }),
      signal,
      terminal: {
        scope: scopeOf(host, context),
        async callTool(tool, called, scope) {
          const { callAndReport } = await import('./tools/call-tool.ts');
          return (await callAndReport(host, { name: tool.id, tool, words: called, scope }, context)).code;
        },
      },
      ...(agent !== undefined && { agent }),
      ...(ask && { ask }),
    };
    return await runCommand(host.plugins, plugin, name, call);
  };

/**
 * Plugins don't know the width of the terminal: long lines are wrapped with an indent. What they print may be foreign:
 * control characters are spelled out.
 */
function printWrapped(out: Surface, text: string): void {
  for (const line of shownText(text).split('\n')) {
    const [first = '', ...others] = widthOf(line) > out.width ? wrap(line, out.proseWidth - 2) : [line];
    out.line(first);
    for (const other of others) out.line(`  ${other}`);
  }
}
