import type { CommandHandler } from '../../command.ts';
import { renderTable } from '../../terminal/table.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost({ mcp: 'off' });
  const secrets = host.secrets.list();
  if (options.flag('json')) return terminal.json({ secrets });
  const { out, err } = terminal;
  if (secrets.length === 0)
    return err.line('There are no secrets. Store one with `pegboard secret set NAME`.');
  const columns = [{ title: 'SECRET', paint: out.style.name }, { title: 'SINCE' }, { title: 'FROM' }];
  const rows = secrets.map(({ name, at, origin }) => [name, at.slice(0, 16).replace('T', ' '), origin]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
};
