import { join } from 'node:path';
import { openPinStore } from '../sources/mcp/approval/pin-store.ts';
import type { LoginFiles } from '../sources/mcp/oauth/oauth-store.ts';
import type { OpenSource } from '../sources/mcp/server-set.ts';
import { version } from '../version.ts';
import type { ConversationServices } from './conversations.ts';
import type { Foundation } from './foundation.ts';

/** Creates the source of an MCP server; its code is loaded with the first one. */
export function serverOpener(foundation: Foundation, conversations: ConversationServices): OpenSource {
  const { home, data, userState, documents, resolve, whyUnset, redactor, log } = foundation;
  const logins = loginsOf(foundation);
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
