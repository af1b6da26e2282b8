import type { CommandCall } from '../../api/plugin.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { pegboard } from '../../core/own-command.ts';
import type { PluginSet } from '../plugin-set.ts';

type Plugins = Pick<PluginSet, 'instances' | 'states'>;

/** Runs a command that a plugin declares, and returns its exit code, if it returned one. Throws PEG_CONFIG when the plugin doesn't run, and a PegboardError for what failed in it. */
export async function runCommand(
  plugins: Plugins,
  plugin: string,
  name: string,
  call: CommandCall,
): Promise<number | void> {
  const run = plugins.instances.find(({ manifest }) => manifest.id === plugin)?.commands[name];
  if (!run) {
    const state = plugins.states.find(({ manifest }) => manifest.id === plugin);
    const why =
      state?.problem ?? `The plugin ${plugin} declares it in its plugin.yaml, but doesn't implement it.`;
    throw new PegboardError('PEG_CONFIG', `"${pegboard} ${name}" can't run. ${why}`);
  }
  try {
    const code: unknown = await run(call);
    if (typeof code !== 'number') return;
    if (Number.isInteger(code) && code >= 0 && code <= 255) return code;
    throw new TypeError(`its exit code ${code} is no whole number from 0 to 255`);
  } catch (cause) {
    if (cause instanceof PegboardError || call.signal.aborted) throw cause;
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `The plugin ${plugin} failed in "${pegboard} ${name}": ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** What a command has printed. */
export interface Printed {
  /** Undefined: it has printed none. */
  readonly json: unknown;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** Runs it with --json and returns what it printed. Throws like `runCommand`. */
export async function readCommand(
  plugins: Plugins,
  plugin: string,
  name: string,
  {
    words = [],
    options = {},
    ...rest
  }: Pick<CommandCall, 'signal'> & Partial<Pick<CommandCall, 'words' | 'options' | 'agent' | 'ask'>>,
): Promise<Printed> {
  let json: unknown;
  const lines: string[] = [];
  const exitCode = await runCommand(plugins, plugin, name, {
    words,
    options: { ...options, json: true },
    out: (line) => void lines.push(line),
    json: (value) => {
      json = value;
    },
    progress: () => {},
    ...rest,
  });
  return { json, lines, exitCode: exitCode ?? 0 };
}
