import type { JsonObject, ToolFailure } from '../../api/result.ts';
import { isMeta } from '../../tools/meta.ts';
import { asking } from './asking.ts';
import { toCallToolResult } from './call-result.ts';
import type { Endpoint } from './endpoint.ts';
import { isObject, type Exchange } from './exchange.ts';
import { innerCall, type InnerCall } from './executions.ts';
import { invalidParams, RpcError, rpcCodes, rpcErrorIn } from './rpc-error.ts';
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
    const target = targetOf(name, args ?? {}, endpoint, exchange);
    const result = await host.dispatch({
      name: target.name,
      args: target.args,
      scope,
      caller: `mcp:${exchange.client.name}`,
      client: exchange.from,
      ...(exchange.from.session && { conversation: exchange.from.session.id }),
      signal: talk.signal,
      takesLongTexts: true,
      peer: talk.peer,
      ...(talk.ask && { ask: talk.ask }),
      ...(talk.onProgress && { onProgress: talk.onProgress }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    if (result.error && !target.isRefused) throwProtocolErrors(result.error, name, endpoint, exchange);
    // The schema matters only for structured content that legacy clients must get wrapped.
    const outputSchema =
      result.structured === undefined ? undefined : host.registry.snapshot.find(target.name)?.outputSchema;
    return toCallToolResult(result, exchange.era, outputSchema);
  };
  return asking(endpoint, 'tools/call', params, exchange, work);
}

/** What really runs. A tool that isn't listed is found by its name; a meta-tool must be listed. */
function targetOf(name: string, args: JsonObject, endpoint: Endpoint, { client }: Exchange): InnerCall {
  const { host, scope } = endpoint;
  const { snapshot } = host.registry;
  const list = endpoint.toolsFor(client);
  const inner = list.mode === 'discovery' ? innerCall(name, args, snapshot, scope) : undefined;
  if (inner) return inner;
  const tool = snapshot.find(name);
  if (tool && isMeta(tool) && !list.find(tool.wireName)) throw unknownTool(name, []);
  return { name, args };
}

/** Some failures are the protocol's own: a tool that isn't there, a client that can't do what the call needs. */
function throwProtocolErrors(
  error: ToolFailure,
  name: string,
  endpoint: Endpoint,
  { era, client }: Exchange,
): void {
  const { code, stage, message, data } = error;
  const isHeld = isObject(data) && data['held'] === true;
  if (stage === 'resolve' && !isHeld && (code === 'PEG_TOOL_NOT_FOUND' || code === 'PEG_TOOL_UNAVAILABLE')) {
    const ids = isObject(data) && Array.isArray(data['suggestions']) ? (data['suggestions'] as string[]) : [];
    const list = endpoint.toolsFor(client);
    const suggestions = ids.flatMap((id) => {
      const tool = endpoint.host.registry.snapshot.tools.get(id);
      return tool && (!isMeta(tool) || list.find(tool.wireName)) ? [tool.wireName] : [];
    });
    throw unknownTool(name, suggestions);
  }
  // An error of the server's protocol is one of ours, as it is.
  if (code === 'PEG_SERVER_ERROR') {
    const refused = rpcErrorIn(data);
    if (refused) throw refused;
  }
  if (code === 'PEG_CLIENT_CAPABILITY' && era === 'modern') {
    throw new RpcError(rpcCodes.missingClientCapability, message, data);
  }
}

function unknownTool(name: string, suggestions: readonly string[]): RpcError {
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : '';
  return invalidParams(`Unknown tool "${name}".${hint}`, { suggestions });
}
