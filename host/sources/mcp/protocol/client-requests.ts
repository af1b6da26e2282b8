import type { JsonObject } from '../../../api/result.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { McpServerConfig } from '../config.ts';
import { elicit, type ElicitationTarget } from './elicitation.ts';
import { isObject } from '../transport/rpc-message.ts';

/** MCP's ClientCapabilities of `asker`; absent: of any caller. */
export function capabilitiesFor(
  { clientCapabilities = [] }: Pick<McpServerConfig, 'clientCapabilities'>,
  asker?: Pick<ElicitationTarget, 'peer' | 'sample'>,
): JsonObject {
  const declared = asker?.peer?.capabilities;
  const roots = asker ? declared?.['roots'] : {};
  const sampling = asker ? (declared?.['sampling'] ?? (asker.sample && {})) : {};
  return {
    elicitation: { form: {}, url: {} },
    ...(clientCapabilities.includes('sampling') && isObject(sampling) && { sampling }),
    ...(clientCapabilities.includes('roots') && isObject(roots) && { roots: { listChanged: true } }),
  };
}

/**
 * Forwards a server's request to its caller. Throws PEG_SERVER_ERROR for requests that aren't allowed, and
 * PEG_CLIENT_CAPABILITY.
 */
export async function askCaller(
  server: string,
  method: unknown,
  params: JsonObject,
  asker: ElicitationTarget | undefined,
  config: Pick<McpServerConfig, 'clientCapabilities'>,
): Promise<JsonObject> {
  const { clientCapabilities = [] } = config;
  switch (method) {
    case 'elicitation/create':
      return elicit(server, params, asker);
    case 'sampling/createMessage':
      if (!clientCapabilities.includes('sampling')) break;
      if (asker?.sample) return asker.sample(params);
      if (asker?.peer) return asker.peer.request(method, params, { signal: asker.signal });
      throw nobodyThere(server, method);
    case 'roots/list':
      if (!clientCapabilities.includes('roots')) break;
      if (asker?.peer) return asker.peer.request(method, params, { signal: asker.signal });
      throw nobodyThere(server, method);
  }
  throw new PegboardError(
    'PEG_SERVER_ERROR',
    `MCP server "${server}" asked for ${String(method)}, which Pegboard does not offer.`,
  );
}

function nobodyThere(server: string, method: string): PegboardError {
  return new PegboardError(
    'PEG_CLIENT_CAPABILITY',
    `MCP server "${server}" asked for ${method}, which needs exactly one connected client that supports it.`,
  );
}
