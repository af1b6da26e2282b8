import { basename, dirname } from 'node:path';
import { describeDiagnostic } from '../../../core/documents/describe-diagnostic.ts';
import type { Host } from '../../../host.ts';
import { readLock } from '../../../plugins/elsewhere/lock.ts';
import type { PluginState } from '../../../plugins/plugin-state.ts';
import type { CommandHandler } from '../../command.ts';
import { renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/width.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost({ mcp: 'off' });
  const plugins = [...host.plugins.states.map(toJson), ...unreadable(host)];
  const status = plugins.some(({ state }) => state === 'broken') ? 1 : 0;
  if (options.flag('json')) {
    terminal.json({ plugins });
    return status;
  }
  const { out, err } = terminal;
  const columns = [
    { title: 'PLUGIN', paint: out.style.name },
    { title: 'VERSION' },
    { title: 'STATE' },
    { title: 'BRINGS' },
    { title: 'SOURCE', shrinks: true },
    { title: 'DESCRIPTION', shrinks: true },
  ];
  const rows = plugins.map(({ id, version, state, description, source = '', ...brought }) => [
    id,
    version,
    state,
    partsOf(brought).join(', '),
    source.replace(/(?<=#[0-9a-f]{7})[0-9a-f]{33}$/, ''),
    description,
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  for (const { problem } of plugins)
    if (problem !== undefined) for (const line of wrap(`\n${problem}`, err.proseWidth)) err.line(line);
  return status;
};

/** Plugins whose plugin.yaml can't be read, under the name of their folder. */
function unreadable({ diagnostics, plugins }: Host): readonly ListedPlugin[] {
  const known = new Set(plugins.states.map(({ manifest }) => manifest.folder));
  const broken = diagnostics.filter(
    ({ severity, path = '' }) =>
      severity === 'error' && basename(path) === 'plugin.yaml' && !known.has(dirname(path)),
  );
  const folders = new Map(broken.map((one) => [dirname(one.path!), one]));
  return [...folders].map(([folder, one]) => ({
    id: basename(folder),
    version: '',
    description: '',
    state: 'broken',
    builtin: false,
    packs: [],
    provides: [],
    commands: [],
    folder,
    problem: describeDiagnostic(one),
  }));
}

/** In a few words: the packs and services, and the commands by their first word. */
const partsOf = ({
  packs,
  provides,
  commands,
}: Pick<ListedPlugin, 'packs' | 'provides' | 'commands'>): readonly string[] => [
  ...new Set([...packs, ...provides, ...commands.map((name) => name.split(' ')[0]!)]),
];

interface ListedPlugin {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly state: PluginState['state'] | 'broken';
  readonly builtin: boolean;
  readonly packs: readonly string[];
  readonly provides: readonly string[];
  readonly commands: readonly string[];
  readonly folder: string;
  readonly generation?: number | undefined;
  /** Exactly what was added: "npm:dice@1.0.0". Absent for the owner's own plugins. */
  readonly source?: string;
  readonly problem?: string;
}

function toJson({ manifest, state, generation, problem }: PluginState): ListedPlugin {
  const { id, version, description, folder, builtin, packs, provides, commands } = manifest;
  const source = builtin ? undefined : sourceIn(folder);
  return {
    id,
    version,
    description,
    state,
    builtin,
    packs: Object.keys(packs),
    provides,
    commands: Object.keys(commands),
    folder,
    generation,
    ...(source !== undefined && { source }),
    ...(problem !== undefined && { problem }),
  };
}

/** Exactly what was added: "npm:dice@1.0.0". Undefined for the owner's own plugins. */
function sourceIn(folder: string): string | undefined {
  try {
    return readLock(folder)?.resolved;
  } catch {
    return 'unknown: its lock file is broken';
  }
}
