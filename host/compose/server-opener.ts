import { openPinStore } from '../sources/mcp/approval/pin-store.ts';
import type { OpenSource } from '../sources/mcp/server-set.ts';
import { version } from '../version.ts';
import type { ConversationServices } from './conversations.ts';
import type { Foundation } from './foundation.ts';

/** Creates the source of an MCP server; its code is loaded with the first one. */
export function serverOpener(
  { home, data, userState, resolve, redactor, log }: Foundation,
  conversations: ConversationServices,
): OpenSource {
  return async (name, config) => {
    const { createMcpSource } = await import('../sources/mcp/source.ts');
    return createMcpSource(name, config, {
      home,
      data: data('mcp'),
      pins: openPinStore(userState.serverPins),
      resolve,
      redactor,
      log,
      version,
      complete: async (turn, request) => (await conversations.agents()).complete(turn, request),
    });
  };
}
