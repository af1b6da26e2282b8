import type { JsonObject, ToolFailure } from '../../api/result.ts';
import { asking } from './asking.ts';
import { toCallToolResult } from './call-result.ts';
import type { Endpoint } from './endpoint.ts';
import { isObject, type Exchange } from './exchange.ts';
import { invalidParams, RpcError, rpcCodes } from './rpc-error.ts';
import type { Talk } from './talk.ts';

/** MCP's `tools/call`: through dispatch, and back unchanged. */
export async function callTool(
  endpoint: Endpoint,
  params: JsonObject,
  exchange: Exchange,
): Promise<JsonObject> {
  const { name, arguments: args } = params;
  if (typeof name !== 'string') throw invalidParams('tools/call needs the name of a tool.');
  if (args !== undefined && !isObject(args)) throw invalidParams('The arguments of a tool are an object.');
  const work = async (talk: Talk): Promise<JsonObject> => {
    const { host, scope } = endpoint;
    const result = await host.dispatch({
      name,
      args: args ?? {},
      scope,
      caller: `mcp:${exchange.client.name}`,
      signal: talk.signal,
      peer: talk.peer,
      ...(talk.ask && { ask: talk.ask }),
      ...(talk.onProgress && { onProgress: talk.onProgress }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    if (result.error) throwProtocolErrors(result.error, name, endpoint, exchange);
    // The schema matters only for structured content that legacy clients must get wrapped.
    const outputSchema =
      result.structured === undefined ? undefined : host.registry.snapshot.find(name)?.outputSchema;
    return toCallToolResult(result, exchange.era, outputSchema);
  };
  return asking(endpoint, 'tools/call', params, exchange, work);
}

/** Some failures are the protocol's own: a tool that isn't there, a client that can't do what the call needs. */
function throwProtocolErrors(error: ToolFailure, name: string, { host }: Endpoint, { era }: Exchange): void {
  const { code, stage, message, data } = error;
  if (stage === 'resolve' && (code === 'PEG_TOOL_NOT_FOUND' || code === 'PEG_TOOL_UNAVAILABLE')) {
    const ids = isObject(data) && Array.isArray(data['suggestions']) ? (data['suggestions'] as string[]) : [];
    const suggestions = ids.map((id) => host.registry.snapshot.tools.get(id)?.wireName ?? id);
    const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : '';
    throw invalidParams(`Unknown tool "${name}".${hint}`, { suggestions });
  }
  if (code === 'PEG_CLIENT_CAPABILITY' && era === 'modern') {
    throw new RpcError(rpcCodes.missingClientCapability, message, data);
  }
}
