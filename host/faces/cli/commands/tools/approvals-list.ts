import type { Run } from '../../command.ts';
import { renderTable } from '../../terminal/table.ts';
import { fingerprintOf } from '../../../../tools/fingerprint.ts';

export const run: Run = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost({ mcp: 'on-demand' });
  const approvals = host.approvals.list().map(({ tool, fingerprint, at }) => {
    const registered = host.registry.snapshot.tools.get(tool);
    const state = !registered
      ? 'gone'
      : fingerprintOf(registered) === fingerprint
        ? 'holds'
        : 'changed, asks again';
    return { tool, at, state, fingerprint };
  });
  if (options.flag('json')) return terminal.json({ approvals });
  const { out, err } = terminal;
  if (approvals.length === 0) return err.line('No tool has a stored approval.');
  const columns = [{ title: 'TOOL', paint: out.style.name }, { title: 'SINCE' }, { title: 'STATE' }];
  const rows = approvals.map(({ tool, at, state }) => [tool, at.slice(0, 16).replace('T', ' '), state]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
};
