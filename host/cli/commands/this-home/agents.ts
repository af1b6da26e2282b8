import { relative } from 'node:path';
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
};

export const runDefault: CommandHandler = async (context) => {
  const host = await context.openHost({ mcp: 'off' });
  const [name = ''] = context.words;
  const { id } = host.spaces.agentFor(name);
  const files = await host.spaces.chooseDefault(id);
  const { out } = context.terminal;
  out.line(`${out.style.name(id)} is the default agent: it answers where no agent is named.`);
  for (const file of files) out.line(out.style.quiet(`changed: ${relative(host.home, file)}`));
};
