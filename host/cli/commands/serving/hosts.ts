import { pegboard } from '../../../core/own-command.ts';
import { readHosts, type HostsStatus, type HostStatus } from '../../../compose/hosts.ts';
import { writtenDatabase } from '../../../compose/home-database.ts';
import { resolverOf } from '../../../compose/home-secrets.ts';
import type { CommandHandler } from '../../command.ts';
import { shortTime } from '../../terminal/figures.ts';
import { renderTable } from '../../terminal/table.ts';
import type { Surface } from '../../terminal/terminal.ts';
import { warn } from '../../warn.ts';

export const run: CommandHandler = async ({ terminal, options, home, surroundings }) => {
  await using database = writtenDatabase(home, resolverOf(home, surroundings), {
    restored: (message) => warn(terminal, message),
  });
  const { hosts, queues: all } = await readHosts(database);
  // What waits for its time is no backlog.
  const status = { hosts, queues: all.map((one) => ({ ...one, waiting: one.waiting - one.later })) };
  if (options.flag('json')) return terminal.json(toJson(status, database.name));
  const { out, err } = terminal;
  if (status.hosts.length === 0) err.line(`No host runs. \`${pegboard} start\` starts one.`);
  else showHosts(out, status.hosts);
  if (status.queues.length > 0) showQueues(out, status.queues);
  const files = new Set(status.hosts.filter(({ isLive }) => isLive).flatMap((host) => host.files ?? []));
  if (files.size > 1)
    warn(terminal, 'The files of these hosts differ: what a message does depends on the host that takes it.');
};

const toJson = ({ hosts, queues }: HostsStatus, state: string) => ({
  state,
  hosts: hosts.map(({ id, isLive, seenAt, roles, files }) => ({
    id,
    live: isLive,
    seenAt,
    roles,
    ...(files !== undefined && { files }),
  })),
  queues,
});

function showHosts(out: Surface, hosts: readonly HostStatus[]): void {
  const { style } = out;
  const columns = [
    { title: 'HOST', paint: style.name },
    {
      title: 'STATE',
      paint: (text: string) => (text.trimEnd() === 'live' ? style.good(text) : style.warning(text)),
    },
    { title: 'FILES', paint: style.quiet },
    { title: 'ROLES', shrinks: true, wraps: true },
  ];
  const rows = hosts.map(({ id, isLive, seenAt, roles, files = '' }) => [
    id,
    isLive ? 'live' : `gone for ${shortTime(Date.now() - Date.parse(seenAt))}`,
    files,
    roles.join(', '),
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
}

function showQueues(out: Surface, queues: HostsStatus['queues']): void {
  out.line();
  const columns = [
    { title: 'QUEUE', paint: out.style.name, shrinks: true },
    ...['WAITING', 'LATER', 'RUNNING', 'DEAD', 'OLDEST'].map((title) => ({ title, alignRight: true })),
  ];
  const rows = queues.map(({ name, waiting, later, running, dead, oldestSeconds }) => [
    name,
    ...[waiting, later, running, dead].map(String),
    waiting > 0 ? shortTime(oldestSeconds * 1000) : '',
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
}
