import type { JsonObject, RegisteredTool, ToolFailure, ToolResult } from 'pegboard';
import { isMeta, textIsComplete } from 'pegboard/kit';
import { withQuestions } from '../client/asking.ts';
import { taskOutcome, toCallToolResult } from './call-result.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject, type Exchange } from '../protocol/exchange.ts';
import { innerCall, type InnerCall } from './executions.ts';
import { connectForClient } from '../protocol/connect-for-client.ts';
import { beginLegacyTask } from './legacy-tasks.ts';
import { promotionOf } from './promotion.ts';
import { invalidParams, type RpcError } from '../protocol/rpc-error.ts';
import type { Work } from './round-call.ts';

/** MCP's `tools/call`: through dispatch, and back unchanged. */
export async function callTool(
  endpoint: Endpoint,
  params: JsonObject,
  exchange: Exchange,
): Promise<JsonObject> {
  const { name, arguments: args } = params;
  if (typeof name !== 'string') throw invalidParams('tools/call needs the name of a tool.');
  if (args !== undefined && !isObject(args)) throw invalidParams('The arguments of a tool are an object.');
  const work: Work = async (channel, ended) => {
    const { host, scope } = endpoint;
    if (!host.registry.snapshot.find(name)) await connectForClient(endpoint, exchange.from, channel.signal);
    const target = targetOf(name, args ?? {}, endpoint, exchange);
    const returned = await host.dispatch({
      name: target.name,
      args: target.args,
      scope,
      caller: `mcp:${exchange.client.name}`,
      client: exchange.from,
      ...(exchange.from.session && { conversation: exchange.from.session.id }),
      signal: channel.signal,
      takesLongTexts: true,
      peer: channel.peer,
      ask: channel.ask,
      ...(channel.onProgress && { onProgress: channel.onProgress }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    const tool = host.registry.snapshot.find(target.name);
    const result = forClient(returned, tool);
    ended(result);
    if (target.isRefused) return toCallToolResult(result, exchange.era, undefined);
    if (result.error) throwUnknownTool(result.error, name, endpoint, exchange);
    // The schema matters only for structured content, which is wrapped for legacy clients.
    const outputSchema = result.structured === undefined ? undefined : tool?.outputSchema;
    return taskOutcome(result, exchange.era, outputSchema);
  };
  const call = { name, args: args ?? {} };
  if (exchange.era === 'legacy' && isObject(params['task']))
    return beginLegacyTask(endpoint, call, exchange, work);
  return withQuestions(endpoint, 'tools/call', params, exchange, work, promotionOf(endpoint, call, exchange));
}

/**
 * Without the structured content of built-in tools: some clients show their models that instead of the texts, and the
 * texts are written for models.
 */
function forClient(result: ToolResult, tool: RegisteredTool | undefined): ToolResult {
  if (!tool || !textIsComplete(tool)) return result;
  const { structured: _, ...texts } = result;
  return texts;
}

/** The tool that really runs. One that isn't listed is found by its name; a meta-tool must be listed. */
function targetOf(name: string, args: JsonObject, endpoint: Endpoint, { client }: Exchange): InnerCall {
  const { host, scope } = endpoint;
  const { snapshot } = host.registry;
  const list = endpoint.toolsFor(client);
  const inner = list.hidesTools ? innerCall(name, args, snapshot, scope) : undefined;
  if (inner) return inner;
  const tool = snapshot.find(name);
  if (tool && isMeta(tool) && !list.find(tool.wireName)) throw unknownTool(name, []);
  return { name, args };
}

/** An unknown tool is a protocol error; why one is pending approval or left out is a result for the model. */
function throwUnknownTool(error: ToolFailure, name: string, endpoint: Endpoint, { client }: Exchange): void {
  const { code, stage, data } = error;
  const isExplained = isObject(data) && (data['pending'] === true || data['leftOut'] === true);
  if (
    stage === 'resolve' &&
    !isExplained &&
    (code === 'PEG_TOOL_NOT_FOUND' || code === 'PEG_TOOL_UNAVAILABLE')
  ) {
    const ids = isObject(data) && Array.isArray(data['suggestions']) ? (data['suggestions'] as string[]) : [];
    const list = endpoint.toolsFor(client);
    const suggestions = ids.flatMap((id) => {
      const tool = endpoint.host.registry.snapshot.tools.get(id);
      return tool && (!isMeta(tool) || list.find(tool.wireName)) ? [tool.wireName] : [];
    });
    throw unknownTool(name, suggestions);
  }
}

function unknownTool(name: string, suggestions: readonly string[]): RpcError {
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : '';
  return invalidParams(`Unknown tool "${name}".${hint}`, { suggestions });
}
