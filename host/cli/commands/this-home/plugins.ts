import type { PluginState } from '../../../plugins/plugin-state.ts';
import type { CommandHandler } from '../../command.ts';
import { renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/width.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost({ mcp: 'off' });
  const plugins = host.plugins.states.map(toJson);
  if (options.flag('json')) return terminal.json({ plugins });
  const { out, err } = terminal;
  const columns = [
    { title: 'PLUGIN', paint: out.style.name },
    { title: 'VERSION' },
    { title: 'STATE' },
    { title: 'BRINGS' },
    { title: 'DESCRIPTION', shrinks: true },
  ];
  const rows = plugins.map(({ id, version, state, packs, description }) => [
    id,
    version,
    state,
    packs.join(', '),
    description,
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  for (const { problem } of plugins)
    if (problem !== undefined) for (const line of wrap(`\n${problem}`, err.proseWidth)) err.line(line);
};

function toJson({ manifest, state, generation, problem }: PluginState) {
  const { id, version, description, folder, builtin, packs } = manifest;
  return {
    id,
    version,
    description,
    state,
    builtin,
    packs: Object.keys(packs),
    folder,
    generation,
    ...(problem !== undefined && { problem }),
  };
}
