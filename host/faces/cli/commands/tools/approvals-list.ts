import { acceptCommand } from '../../../../held-back/held-back.ts';
import { heldBackIn } from '../../../../held-back/in-host.ts';
import { fingerprintOf } from '../../../../tools/fingerprint.ts';
import type { Run } from '../../command.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { showQuestion } from '../../show-question.ts';

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
  const waiting = heldBackIn(host).flatMap((held) =>
    held.what.map((what) => ({ what, command: acceptCommand(held) })),
  );
  const questions = await host.questions.list();
  if (options.flag('json')) return terminal.json({ approvals, questions, waiting });
  const { out, err } = terminal;
  for (const question of questions) for (const line of showQuestion(question, out)) out.line(line);
  if (approvals.length === 0) err.line('No tool has a stored approval.');
  else {
    const columns = [{ title: 'TOOL', paint: out.style.name }, { title: 'SINCE' }, { title: 'STATE' }];
    const rows = approvals.map(({ tool, at, state }) => [tool, at.slice(0, 16).replace('T', ' '), state]);
    for (const line of renderTable(out, columns, rows)) out.line(line);
  }
  if (waiting.length === 0) return;
  const columns = [{ title: 'WAITS FOR YOU', paint: out.style.name }, { title: 'LOOK AT IT WITH' }];
  const rows = waiting.map(({ what, command }) => [oneLine(what), command]);
  out.line('');
  for (const line of renderTable(out, columns, rows)) out.line(line);
};
