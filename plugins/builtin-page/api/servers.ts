import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { type ServerEntry, serverNamed } from 'pegboard/home';
import { messageOf, untilAborted } from 'pegboard/kit';
import { serverLog } from '../servers/server-log.ts';
import { serverDetails, serverRows } from '../servers/server-rows.ts';
import type { ServerDetails, ServerList, ServerLog } from '../servers/wire.ts';
import type { ApiHandlers } from './handler.ts';
import { toDiagnosticRow } from './diagnostic-row.ts';

/** Lines of a log that are sent at once. */
const logLines = 300;

/** The MCP servers: whether they work, why not, and connecting them. */
export function serverHandlers(host: Host): ApiHandlers {
  const details = (name: string): ServerDetails => serverDetails(name, entryNamed(name, host), host);
  return {
    'GET servers': (): ServerList => ({
      servers: serverRows(host),
      invalid: host.diagnostics
        .filter(({ code }) => code === 'bad-server')
        .map((one) => toDiagnosticRow(one, host.home)),
    }),
    'GET server': ({ path: [name = ''] }) => details(name),
    'GET server-log': ({ path: [name = ''] }): ServerLog => {
      entryNamed(name, host);
      return serverLog(name, logLines, host);
    },
    'POST server-connect': async ({ path: [name = ''], signal }) => {
      serverNamed(host.servers, name);
      try {
        await untilAborted(host.servers.restart(name), signal);
      } catch (cause) {
        if (cause instanceof PegboardError) throw cause;
        throw new PegboardError('PEG_SERVER_ERROR', messageOf(cause), { cause });
      }
      return details(name);
    },
  };
}

/** Throws PEG_USAGE. */
export function entryNamed(name: string, { config }: Pick<Host, 'config'>): ServerEntry {
  const entry = config.servers.get(name);
  if (!entry) throw new PegboardError('PEG_USAGE', `There is no MCP server "${name}" in this home any more.`);
  return entry;
}
