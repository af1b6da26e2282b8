import { relative } from 'node:path';
import type { Agent } from '../../../api/agent.ts';
import { agentScope } from '../../../spaces/agent-scope.ts';
import { shownTools } from '../../../tools/injection/plan-injection.ts';
import { visibleTools } from '../../../tools/visible-tools.ts';
import type { Host } from '../../../host.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { defaultAgent } from '../../home/default-agent.ts';
import { createPartner } from '../../prompt/chat/partner.ts';
import { oneLine } from '../../terminal/safe.ts';
import { listServers } from '../../servers/wait-for-servers.ts';
import { renderTable } from '../../terminal/table.ts';

export const runList: CommandHandler = async (context) => {
  const host = await context.openHost();
  await listServers(host, context);
  const agents = described(host, context);
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

/** As `--json` prints it. `model` is null without one. */
interface DescribedAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly space: string;
  readonly isDefault: boolean;
  readonly model: string | null;
  /** How many it can call. */
  readonly tools: number;
  /** How many of them its model sees without searching, where it has room for them. */
  readonly listed: number;
  /** Relative to the home; null for an agent without a file. */
  readonly file: string | null;
}

function described(host: Host, context: Context): readonly DescribedAgent[] {
  const answers = defaultAgent(host);
  const all = host.spaces.agents;
  const listed = answers === undefined || all.some(({ id }) => id === answers.id) ? all : [answers, ...all];
  return listed.map((agent) => {
    const { id, name, description, space } = agent;
    const tools = visibleTools(host.registry.snapshot, agentScope(agent));
    const file = host.spaces.fileOf(id);
    return {
      id,
      name,
      description,
      space,
      isDefault: id === answers?.id,
      model: modelOf(host, agent),
      tools: tools.domain.length + tools.meta.length,
      listed: shownTools(agent, tools, host.config.toolPreset).size,
      file: file === undefined ? null : relative(context.home, file),
    };
  });
}

function modelOf(host: Host, { id }: Agent): string | null {
  try {
    return createPartner(host, id).models()[0] ?? null;
  } catch {
    return null;
  }
}
