import type { RegistryServer } from '../../../sources/mcp/registry/entry.ts';
import { installOptionsOf } from '../../../sources/mcp/registry/install-options.ts';
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

/** How it can be run or reached, of the ways that Pegboard supports. */
export const kindsOf = (server: RegistryServer): readonly string[] => [
  ...new Set(installOptionsOf(server, '').flatMap((way) => ('refused' in way ? [] : [way.kind]))),
];
