import { pegboard } from '../../core/own-command.ts';
import { oneLine } from '../terminal/safe.ts';
import { renderTable } from '../terminal/table.ts';
import type { Surface } from '../terminal/terminal.ts';
import { wrap } from '../terminal/width.ts';
import type { McpStatus } from '../../sources/mcp/mcp-source.ts';

/** One line per server, and below it what to do about its problems. */
export function showServers(out: Surface, servers: readonly McpStatus[]): void {
  const { style } = out;
  const columns = [
    { title: 'SERVER', paint: style.name },
    {
      title: 'STATE',
      paint: (text: string) => (text.trimEnd() === 'ready' ? style.good(text) : style.warning(text)),
    },
    { title: 'TOOLS', alignRight: true },
    { title: 'TRANSPORT' },
    { title: 'SOFTWARE', shrinks: true, paint: style.quiet },
  ];
  const [head, ...lines] = renderTable(
    out,
    columns,
    servers.map((server) => [
      server.name,
      `${server.state}${server.warnings ? ', with problems' : ''}`,
      String(server.tools),
      server.transport,
      isText(server),
    ]),
  );
  if (head !== undefined) out.line(head);
  servers.forEach(({ name, error, warnings = [], pending }, at) => {
    out.line(lines[at]);
    const [first, ...more] = warnings;
    if (first !== undefined)
      showNote(
        out,
        `${oneLine(first)}${more.length > 0 ? `, and ${more.length} more: "${pegboard} tools ${name}" names them.` : ''}`,
      );
    if (error !== undefined) showNote(out, oneLine(error));
    if (pending.length > 0) {
      showNote(
        out,
        `pending approval because new or changed: ${pending.map(oneLine).join(', ')}. "${pegboard} mcp approve ${name}" shows them.`,
      );
    }
  });
}

function showNote(out: Surface, text: string): void {
  for (const line of wrap(text, out.proseWidth - 4)) out.line(`    ${out.style.warning(line)}`);
}

function isText({ serverInfo, era }: McpStatus): string {
  const { name, version } = serverInfo ?? {};
  const known = [name, version].filter((part) => typeof part === 'string').map(oneLine);
  return [...known, era === undefined ? '' : `(${era})`].filter(Boolean).join(' ');
}
