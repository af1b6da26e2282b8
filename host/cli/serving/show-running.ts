import type { Check } from '../../api/diagnostic.ts';
import type { Host } from '../../host.ts';
import { whoAnswers } from '../../status/who-answers.ts';
import { checkServers } from '../../doctor/servers.ts';
import { showCheck } from '../terminal/show-check.ts';
import type { Surface } from '../terminal/terminal.ts';

/** Columns for "schedules" and its like. */
const nameWidth = 10;

/**
 * Prints what a running host does: who answers, what its services report, which MCP servers are connected. What takes time is
 * printed when it is known, and again when it changes, until disposed.
 */
export function showRunning(host: Host, err: Surface): Disposable {
  const show = (check: Check): void => showCheck(err, check, nameWidth);
  show(whoAnswers(host));
  for (const report of host.reports.all) show(report);
  const reporting = host.reports.onReport(show);
  let isOver = false;
  const showServers = async (): Promise<void> => {
    await host.servers.settled();
    if (!isOver) for (const check of summed(checkServers(host))) show(check);
  };
  void showServers().catch(() => {});
  return {
    [Symbol.dispose]() {
      isOver = true;
      reporting[Symbol.dispose]();
    },
  };
}

/** One line for all that are well, and one for each of the others. */
function summed(checks: readonly Check[]): readonly Check[] {
  const well = checks.filter(({ status }) => status === 'ok');
  const names = well.map(({ name }) => name.replace(/^mcp /, '')).join(', ');
  const others = checks.filter(({ status }) => status !== 'ok');
  return well.length === 0
    ? others
    : [{ name: 'MCP', status: 'ok', message: `connected: ${names}` }, ...others];
}
