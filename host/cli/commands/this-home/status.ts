import { pegboard } from '../../../core/own-command.ts';
import { sizeOfData } from '../../../store/retention/data-size.ts';
import type { CommandHandler } from '../../command.ts';
import { showServers } from '../../servers/show-servers.ts';
import { describeSize } from '../../../status/describe-size.ts';
import { firstOfEach } from '../../../status/first-of-each.ts';
import { statusOf } from '../../../status/status-of.ts';
import { countDiagnostics, showDiagnostics } from '../../terminal/diagnostics.ts';
import { showCheck } from '../../terminal/show-check.ts';
import { renderTable } from '../../terminal/table.ts';
import { widthOf } from '../../terminal/width.ts';
import { connectServers } from '../../servers/wait-for-servers.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost();
  await connectServers(host, context);
  const known = context.homeTrust !== 'unknown';
  const shown = options.flag('all') ? host.diagnostics : firstOfEach(host.diagnostics);
  const status = { ...(await statusOf(host, shown)), known, data: await sizeOfData(host.home) };
  if (options.flag('json')) return terminal.json(status);
  const { out, err } = terminal;
  const { style } = out;
  const plugins = status.plugins.map(({ id, version, state }) =>
    [id, version, state === 'running' ? '' : `(${state})`].filter((part) => part !== '').join(' '),
  );
  const facts = [
    ['home', `${status.home}${status.known ? '' : ' (unknown: nothing in it runs)'}`],
    ['pegboard', `${status.version} on Node ${status.node}`],
    ['confirm', status.config.confirm],
    ['sandbox', `${status.sandbox.level} (${status.sandbox.problem ?? 'bubblewrap works'})`],
    ['presets', status.config.presets.join(', ')],
    [
      'spaces',
      status.spaces
        .map(({ id, pending }) => (pending === 'all' ? `${id} (pending approval)` : id))
        .join(', '),
    ],
    ['agents', status.spaces.flatMap(({ agents }) => agents).join(', ')],
    ['plugins', plugins.join(', ')],
    ['approvals', status.approvals.map(({ tool }) => tool).join(', ')],
    ['tools', String(status.registry.tools)],
    ['data', describeSize(status.data)],
    [
      'state',
      status.config.state === undefined
        ? ''
        : `${status.config.state} (its size and backups are the matter of its server)`,
    ],
  ].filter(([, value]) => value !== '');
  const pairs = [
    { title: '', paint: style.quiet },
    { title: '', shrinks: true, wraps: true },
  ];
  for (const line of renderTable(out, pairs, facts)) out.line(line);
  out.line();
  const columns = [
    { title: 'SOURCE', paint: style.name },
    { title: 'KIND' },
    { title: 'TOOLS', alignRight: true },
  ];
  const rows = status.sources.map(({ id, kind, tools, channel }) => [
    id,
    channel === undefined ? kind : `${kind}, only in its chats`,
    String(tools),
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  if (status.servers.length > 0) {
    out.line();
    showServers(out, status.servers);
  }
  if (status.reports.length > 0) {
    out.line();
    const left = Math.max(...status.reports.map(({ name }) => widthOf(name)));
    for (const report of status.reports) showCheck(out, report, left);
  }
  if (host.diagnostics.length === 0) return;
  err.line(`\n${countDiagnostics(host.diagnostics)}:`);
  showDiagnostics(err, shown, host.home);
  const left = host.diagnostics.length - shown.length;
  if (left > 0) err.line(`\nand ${left} more like these: \`${pegboard} status --all\` shows them too.`);
};
