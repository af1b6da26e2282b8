import { approveCommand } from '../../../approvals/pending-approval.ts';
import { pendingIn } from '../../../approvals/pending-in-host.ts';
import { fingerprintOf } from '../../../tools/fingerprint.ts';
import { allowedClients } from '../../serving/allowed-clients.ts';
import type { CommandHandler } from '../../command.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { showQuestion } from '../../approvals/show-question.ts';

export const run: CommandHandler = async (context) => {
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
  const waiting = pendingIn(host).flatMap((pending) =>
    pending.what.map((what) => ({ what, command: approveCommand(pending) })),
  );
  const questions = await host.questions.list();
  const code = host.trust.list().map(({ id, at }) => ({ id, at }));
  const spaces = host.spaces.approved();
  const clients = (await allowedClients(host.home, host.surroundings)).map(({ client }) => client);
  if (options.flag('json')) return terminal.json({ approvals, code, spaces, clients, questions, waiting });
  const { out, err } = terminal;
  for (const question of questions) for (const line of showQuestion(question, out)) out.line(line);
  const allowed = [
    ...approvals.map(({ tool, at, state }) => [tool, at, state] as const),
    ...code.map(({ id, at }) => [id, at, 'code that may run'] as const),
    ...spaces.map(({ name, at }) => [`spaces/${name}`, at, 'as approved'] as const),
    ...clients.map(
      ({ id, name, resources, at }) =>
        [id, at, oneLine(`${name ?? 'a client'} may use ${resources.join(', ')}`)] as const,
    ),
  ];
  if (allowed.length === 0) err.line('There are no stored approvals.');
  else {
    const columns = [{ title: 'ALLOWED', paint: out.style.name }, { title: 'SINCE' }, { title: 'STATE' }];
    const rows = allowed.map(([id, at, state]) => [oneLine(id), at.slice(0, 16).replace('T', ' '), state]);
    for (const line of renderTable(out, columns, rows)) out.line(line);
  }
  if (waiting.length === 0) return;
  const columns = [{ title: 'WAITING FOR YOU', paint: out.style.name }, { title: 'REVIEW WITH' }];
  const rows = waiting.map(({ what, command }) => [oneLine(what), command]);
  out.line('');
  for (const line of renderTable(out, columns, rows)) out.line(line);
};
