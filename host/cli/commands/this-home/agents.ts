import { relative } from 'node:path';
import { pegboard } from '../../../core/own-command.ts';
import type { Host } from '../../../host.ts';
import { describeAgents } from '../../../status/describe-agents.ts';
import type { CommandHandler } from '../../command.ts';
import { oneLine } from '../../terminal/safe.ts';
import { listServers } from '../../servers/wait-for-servers.ts';
import { renderTable } from '../../terminal/table.ts';

export const runList: CommandHandler = async (context) => {
  const host = await context.openHost();
  await listServers(host, context);
  const agents = describeAgents(host);
  const { out } = context.terminal;
  if (context.options.flag('json')) return context.terminal.json({ agents });
  const columns = [
    { title: 'AGENT', paint: out.style.name },
    { title: '' },
    { title: 'MODEL', shrinks: true },
    { title: 'TOOLS', alignRight: true },
    { title: 'SHOWN', alignRight: true },
    { title: 'DESCRIPTION', shrinks: true, optional: true },
  ];
  const rows = agents.map(({ id, isDefault, model, tools, listed, description }) => [
    id,
    isDefault ? 'default' : '',
    model ?? 'none',
    String(tools),
    String(listed),
    oneLine(description),
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  const { err } = context.terminal;
  const chosen = host.spaces.agents.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  if (chosen.length > 1)
    err.line(
      err.style.warning(
        `${chosen.join(' and ')} all say default: true; the first answers. \`${pegboard} agents default NAME\` leaves one.`,
      ),
    );
  const inService = new Set(host.spaces.agents.map(({ id }) => host.spaces.fileOf(id)));
  const broken = filesWithErrors(host);
  const said = [
    ['Left out, because they are broken', broken.filter((file) => !inService.has(file))],
    ['In service, with mistakes', broken.filter((file) => inService.has(file))],
  ] as const;
  for (const [what, files] of said)
    if (files.length > 0)
      err.line(
        err.style.warning(
          `${what}: ${files.map((file) => relative(host.home, file)).join(', ')}. \`${pegboard} lint\` says why.`,
        ),
      );
};

/** Files of agents with an error. */
function filesWithErrors({ diagnostics }: Host): readonly string[] {
  const files = diagnostics
    .filter(
      ({ severity, path = '' }) =>
        severity === 'error' && /[/\\](?:agent|agents[/\\][^/\\]+)\.ya?ml$/.test(path),
    )
    .map(({ path }) => path!);
  return [...new Set(files)];
}

export const runDefault: CommandHandler = async (context) => {
  const host = await context.openHost({ mcp: 'off' });
  const [name = ''] = context.words;
  const { id } = host.spaces.agentFor(name);
  const files = await host.spaces.chooseDefault(id);
  const { out } = context.terminal;
  out.line(`${out.style.name(id)} is the default agent: it answers where no agent is named.`);
  for (const file of files) out.line(out.style.quiet(`changed: ${relative(host.home, file)}`));
};
