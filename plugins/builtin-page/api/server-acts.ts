import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { removeServer, serverNamed, writeServerEnabled } from 'pegboard/home';
import type { Logins } from '../servers/logins.ts';
import type { LoginRow } from '../servers/wire.ts';
import { requireProof, textIn, type ApiHandlers } from './handler.ts';
import { entryNamed } from './servers.ts';

/** What changes the entry of a server, and logins. */
export function serverActHandlers(host: Host, logins: Logins): ApiHandlers {
  return {
    'POST server-off': async ({ path: [name = ''] }) => {
      entryNamed(name, host);
      await writeServerEnabled(host.home, host.surroundings, name, false);
      await host.reloadConfig();
    },
    'POST server-on': async (request) => {
      // It runs a program that was not to run.
      requireProof(request);
      const [name = ''] = request.path;
      entryNamed(name, host);
      await writeServerEnabled(host.home, host.surroundings, name, true);
      await host.reloadConfig();
      connectLater(name, host);
    },
    'POST server-remove': async (request) => {
      requireProof(request);
      const [name = ''] = request.path;
      entryNamed(name, host);
      const files = await removeServer(host.home, host.surroundings, name);
      await host.reloadConfig();
      return { files };
    },
    'GET server-login': ({ path: [name = ''] }): LoginRow => logins.of(name),
    'POST server-login': ({ path: [name = ''] }): Promise<LoginRow> =>
      logins.begin(serverNamed(host.servers, name)),
    'POST server-login-address': ({ path: [name = ''], body }) => {
      if (!logins.give(name, textIn(body, 'address')))
        throw new PegboardError('PEG_USAGE', 'No login waits for an address. Begin it again.');
    },
    'POST server-login-cancel': ({ path: [name = ''] }) => logins.cancel(name),
  };
}

/** In the background: the page follows its state. */
export function connectLater(name: string, { servers, log }: Pick<Host, 'servers' | 'log'>): void {
  servers
    .get(name)
    ?.connect()
    .catch((cause: unknown) => log.warn(`mcp:${name} did not connect`, { cause }));
}
