import { join } from 'node:path';
import { openPinStore } from '../sources/mcp/approval/pin-store.ts';
import type { LoginFiles } from '../sources/mcp/oauth/oauth-store.ts';
import { bridgeSource } from '../sources/bridge/source.ts';
import { moduleOfServer, type OpenSource, type ServerSet } from '../sources/mcp/server-set.ts';
import type { PluginSet } from '../plugins/plugin-set.ts';
import type { SpaceSet } from '../spaces/space-set.ts';
import { metaSource } from '../tools/meta.ts';
import { version } from '../version.ts';
import type { ConversationServices } from './conversations.ts';
import type { Foundation } from './foundation.ts';

interface Parts {
  readonly conversations: ConversationServices;
  /** Whose modules keep their names. */
  readonly plugins: Pick<PluginSet, 'hasModule'>;
  readonly spaces: Pick<SpaceSet, 'all'>;
  readonly servers: ServerSet;
}

/** Creates the source of an MCP server; its code is loaded with the first one. */
export function serverOpener(
  foundation: Foundation,
  { conversations, plugins, spaces, servers }: Parts,
): OpenSource {
  const { home, data, userState, documents, resolve, whyUnset, redactor, log } = foundation;
  const logins = loginsOf(foundation);
  const isTaken = (module: string): boolean =>
    module === metaSource ||
    module === bridgeSource.module ||
    plugins.hasModule(module) ||
    spaces.all.some(({ id }) => id === module);
  return async (name, config) => {
    const { createMcpSource } = await import('../sources/mcp/source.ts');
    return createMcpSource(name, config, {
      home,
      surroundings: foundation.surroundings,
      data: data('mcp'),
      pins: openPinStore(userState.serverPins, documents),
      logins,
      resolve,
      whyUnset,
      redactor,
      log,
      version,
      moduleOf: (server) => moduleOfServer(server, isTaken, servers),
      complete: async (turn, request) => (await conversations.agents()).complete(turn, request),
    });
  };
}

/** On a server, they are sealed. */
export function loginsOf({ data, shared, secrets, documents, passphrase }: Foundation): LoginFiles {
  if (!shared) return { folder: data('mcp/oauth'), documents };
  const sealing = { passphrase, check: () => secrets.checkPassphrase() };
  return { folder: join(shared.folder, 'logins'), documents, sealing };
}
