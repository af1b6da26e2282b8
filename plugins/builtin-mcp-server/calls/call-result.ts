import { type Content, type JsonObject, type JsonSchema, toJson, type ToolResult } from 'pegboard';
import { keepWritten, originalBlock } from 'pegboard/kit';
import { isObject, metaKeys, type Era } from '../protocol/exchange.ts';
import { RpcError, rpcCodes, rpcErrorIn } from '../protocol/rpc-error.ts';

/** Keys that belong to the connection, not to the result. */
const hopKeys = [metaKeys.serverInfo] as const;

/** A result as MCP's CallToolResult: everything that the tool returned, and nothing else. */
export function toCallToolResult(
  result: ToolResult,
  era: Era,
  outputSchema: JsonSchema | undefined,
): JsonObject {
  const { content, structured, error, meta, members, order } = result;
  const wire: Record<string, unknown> = { content: content.map(originalBlock) };
  if (structured !== undefined) addStructured(wire, structured, era, outputSchema);
  const { isError, ...rest }: JsonObject = members ?? {};
  if (error) wire['isError'] = true;
  else if (isError !== undefined) wire['isError'] = isError;
  const passed = meta && withoutHopKeys(meta);
  if (passed) wire['_meta'] = passed;
  const whole = members ? keepWritten(members, { ...wire, ...rest }) : wire;
  return order ? inOrder(whole, order) : whole;
}

/** Members that aren't in `order` come last. */
function inOrder(wire: JsonObject, order: readonly string[]): JsonObject {
  const names = new Set([...order.filter((name) => Object.hasOwn(wire, name)), ...Object.keys(wire)]);
  return keepWritten(wire, Object.fromEntries([...names].map((name) => [name, wire[name]])));
}

/** The same for a call that became a task. Throws the RpcError that it failed with. */
export function taskOutcome(result: ToolResult, era: Era, outputSchema?: JsonSchema): JsonObject {
  const { error } = result;
  if (error?.code === 'PEG_SERVER_ERROR') {
    const refused = rpcErrorIn(error.data);
    if (refused) throw refused;
  }
  if (error?.code === 'PEG_CLIENT_CAPABILITY' && era === 'modern')
    throw new RpcError(rpcCodes.missingClientCapability, error.message, error.data);
  return toCallToolResult(result, era, outputSchema);
}

/** Only the modern protocol allows anything but an object; before it, such a value is wrapped as its schema is. */
function addStructured(
  wire: Record<string, unknown>,
  structured: unknown,
  era: Era,
  outputSchema: JsonSchema | undefined,
): void {
  const plain = isObject(structured);
  if (!plain && !(wire['content'] as readonly Content[]).some(({ type }) => type === 'text')) {
    wire['content'] = [
      ...(wire['content'] as readonly Content[]),
      { type: 'text', text: toJson(structured) },
    ];
  }
  const wrapped =
    era === 'legacy' && (!plain || (outputSchema !== undefined && outputSchema['type'] !== 'object'));
  wire['structuredContent'] = wrapped ? { result: structured } : structured;
}

function withoutHopKeys(meta: JsonObject): JsonObject | undefined {
  if (!hopKeys.some((key) => key in meta)) return meta;
  const { [metaKeys.serverInfo]: _, ...rest } = meta;
  return Object.keys(rest).length > 0 ? keepWritten(meta, rest) : undefined;
}
