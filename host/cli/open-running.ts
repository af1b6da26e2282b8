import { relative } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import { PegboardError } from '../core/errors.ts';
import type { Host } from '../host.ts';
import type { Context } from './command.ts';

/**
 * Opens a host that is to run what models and clients ask for. Throws PEG_CONFIG for a rule that refuses or asks about
 * nothing, since what it was meant to close would be open.
 */
export async function openRunning(context: Context, how?: Parameters<Context['openHost']>[0]): Promise<Host> {
  const host = await context.openHost(how);
  const inRules = restricts(host) ? (await import('../doctor/permitted.ts')).ruleDiagnostics(host) : [];
  const open = [...inRules, ...host.diagnostics].filter(
    ({ severity, code }) => severity === 'error' && (code === 'unknown-tool' || code === 'useless-rule'),
  );
  if (open.length > 0)
    throw new PegboardError('PEG_CONFIG', open.map((one) => lineOf(one, host.home)).join('\n'));
  return host;
}

/** Whether pegboard.yaml has such rules at all. */
const restricts = ({ config: { permissions } }: Host): boolean =>
  [permissions, ...permissions.agents.values()].some(({ ask, deny }) => ask.length + deny.length > 0);

const lineOf = ({ path, line, column, message, hint }: Diagnostic, home: string): string =>
  `${relative(home, path!)}:${line}:${column}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
