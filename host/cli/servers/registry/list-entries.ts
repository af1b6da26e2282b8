import type { RegistryServer } from '../../../sources/mcp/registry/entry.ts';
import { kindsOf } from '../../../sources/mcp/registry/install-options.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import type { Surface } from '../../terminal/terminal.ts';

export function listEntries(servers: readonly RegistryServer[], surface: Surface): readonly string[] {
  if (servers.length === 0) return [];
  const { style } = surface;
  const columns = [
    { title: 'SERVER', paint: style.name },
    { title: 'VERSION', paint: style.quiet },
    { title: 'RUNS BY' },
    { title: 'DESCRIPTION', shrinks: true },
  ];
  const rows = servers.map((server) => [
    server.name,
    server.version,
    kindsOf(server).join(', '),
    oneLine(`${server.status === 'deprecated' ? '(deprecated) ' : ''}${server.description}`),
  ]);
  return renderTable(surface, columns, rows);
}
