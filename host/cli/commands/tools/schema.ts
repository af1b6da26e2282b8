import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { visible } from '../../../tools/access.ts';
import type { CommandHandler } from '../../command.ts';
import { scopeOf } from '../../scope.ts';
import { showParameters } from '../../tools/show-tool.ts';
import { oneLine, withoutEscapes } from '../../terminal/safe.ts';
import { wrap } from '../../terminal/width.ts';
import { listServers } from '../../servers/wait-for-servers.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options, words } = context;
  const module = words[0]!;
  const host = await context.openHost();
  if (!host.registry.snapshot.sources.some((source) => source.module === module && source.kind !== 'mcp'))
    await listServers(host, context);
  const { snapshot } = host.registry;
  const sources = snapshot.sources.filter((source) => source.module === module);
  if (sources.length === 0) {
    const modules = snapshot.sources.map((source) => source.module);
    const [near] = nearest(module, modules);
    throw new PegboardError(
      'PEG_TOOL_NOT_FOUND',
      `There is no module "${module}".${near === undefined ? ` There are: ${[...new Set(modules)].join(', ')}.` : ` Did you mean "${near}"?`}`,
    );
  }
  const description = sources
    .map((source) => source.description)
    .filter(Boolean)
    .join(' ');
  const tools = visible(snapshot, scopeOf(host, context)).filter((tool) => tool.source.module === module);
  if (options.flag('json')) {
    const actions = tools.map(({ id, wireName, description, parameters, outputSchema }) => ({
      id,
      name: wireName,
      description,
      parameters,
      outputSchema,
    }));
    terminal.json({ module, description, tools: actions });
    return;
  }
  const { out } = terminal;
  out.line(`${out.style.title(module)}  ${out.style.quiet(oneLine(description))}\n`);
  for (const tool of tools) {
    out.line(out.style.name(tool.id));
    for (const line of wrap(withoutEscapes(tool.description), out.proseWidth - 2)) out.line(`  ${line}`);
    showParameters(out, tool.parameters, 2);
  }
};
