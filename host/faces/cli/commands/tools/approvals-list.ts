import type { Host } from '../../../../host.ts';
import { fingerprintOf } from '../../../../tools/fingerprint.ts';
import { resemblance } from '../../../../tools/look-alikes.ts';
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
  const waiting = waitingIn(host);
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

/** What is held back until the owner has looked at it, and with which command they do. */
function waitingIn(host: Host): readonly { readonly what: string; readonly command: string }[] {
  const tools = host.servers.all.flatMap((server) => {
    const { name, quarantined } = server.status();
    return quarantined.map((tool) => {
      const resembling = resemblance(tool, name, host.registry.snapshot);
      const careful = resembling === undefined ? '' : ` (careful: ${resembling})`;
      return { what: `${name}.${tool}${careful}`, command: `pegboard mcp approve ${name}` };
    });
  });
  const plugins = host.plugins.states
    .filter(({ state }) => state === 'untrusted')
    .map(({ manifest: { id } }) => ({ what: `plugin ${id}`, command: `pegboard plugins trust ${id}` }));
  return [...tools, ...plugins];
}
