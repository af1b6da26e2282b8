import type { IncomingMessage, ServerResponse } from 'node:http';
import { toJson } from 'pegboard';
import type { JsonObject, JsonSchema } from 'pegboard';
import { keepWritten } from 'pegboard/kit';
import { type McpClient, type PeerLogLevel, peerLogLevels } from 'pegboard/serving';
import { callTool } from '../calls/call-tool.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject, isWanted, metaKeys, modernVersion, type Exchange } from '../protocol/exchange.ts';
import { modernClient } from '../client/client-session.ts';
import { createHttpReply, type HttpReply } from './http-reply.ts';
import { rpcCodes, toErrorMember } from '../protocol/rpc-error.ts';
import { toClient } from '../protocol/sdk-exchange.ts';

/**
 * An ordinary modern `tools/call` goes directly to its tool: going through the SDK costs two to three times as much CPU
 * as everything else. Anything else is left to the SDK, which has the right error for every fault.
 */
export interface PlainCall {
  readonly id: string | number;
  readonly params: JsonObject;
  readonly envelope: JsonObject;
  /** The request's `_meta` without the envelope. */
  readonly meta: JsonObject | undefined;
  readonly from: McpClient;
}

export function toPlainCall(
  { headers }: IncomingMessage,
  body: unknown,
  endpoint: Endpoint,
): PlainCall | undefined {
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || body['method'] !== 'tools/call') return undefined;
  const { id, params } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (!isObject(params) || typeof params['name'] !== 'string') return undefined;
  const { _meta, inputResponses, ...said } = params;
  if (!isObject(_meta) || (inputResponses !== undefined && !isObject(inputResponses))) return undefined;
  if (headers['mcp-protocol-version'] !== modernVersion || headers['mcp-method'] !== 'tools/call')
    return undefined;
  if (headers['mcp-name'] !== said['name'] || !isPlainEnvelope(_meta)) return undefined;
  const schema = endpoint.schemaOf(params['name']);
  if (!schema || mirrorsHeaders(schema)) return undefined;
  return { id: id as string | number, params, from: modernClient(headers), ...splitMeta(_meta) };
}

export async function answerPlainCall(
  call: PlainCall,
  response: ServerResponse,
  endpoint: Endpoint,
): Promise<void> {
  const reply = createHttpReply(response);
  const gone = new AbortController();
  reply.onGone(() => gone.abort(new Error('the client disconnected')));
  const { requestState: _, inputResponses: __, ...params } = call.params;
  try {
    const result = await callTool(endpoint, params, toExchange(call, reply, gone.signal));
    const meta = result['_meta'] as JsonObject | undefined;
    const serverInfo = endpoint.serverInfo();
    const told = { ...meta, [metaKeys.serverInfo]: serverInfo };
    const whole = { resultType: 'complete', ...result, _meta: meta ? keepWritten(meta, told) : told };
    reply.end({ jsonrpc: '2.0', id: call.id, result: keepWritten(result, whole) });
  } catch (cause) {
    const error = toErrorMember(cause, endpoint.host.log);
    const status = error.code === rpcCodes.missingClientCapability ? 400 : 200;
    reply.end({ jsonrpc: '2.0', id: call.id, error }, status);
  }
}

function toExchange(
  { params, envelope, meta, from }: PlainCall,
  reply: HttpReply,
  signal: AbortSignal,
): Exchange {
  const wanted = envelope[metaKeys.logLevel] as PeerLogLevel | undefined;
  const notify = (method: string, params: JsonObject): void =>
    reply.event({ jsonrpc: '2.0', method, params });
  return {
    era: 'modern',
    from,
    client: toClient(envelope[metaKeys.clientInfo], envelope[metaKeys.clientCapabilities]),
    signal,
    meta,
    notify,
    log(level, data, logger) {
      if (wanted === undefined || !isWanted(level, wanted)) return;
      notify('notifications/message', { level, data, ...(logger !== undefined && { logger }) });
    },
    inputResponses: params['inputResponses'] as JsonObject | undefined,
    requestState: params['requestState'],
  };
}

function isPlainEnvelope(meta: JsonObject): boolean {
  const info = meta[metaKeys.clientInfo];
  const capabilities = meta[metaKeys.clientCapabilities];
  const level = meta[metaKeys.logLevel];
  const token = meta['progressToken'];
  return (
    meta[metaKeys.protocolVersion] === modernVersion &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    (info === undefined || isPlainInfo(info)) &&
    (level === undefined || (peerLogLevels as readonly unknown[]).includes(level)) &&
    (token === undefined || typeof token === 'string' || Number.isSafeInteger(token))
  );
}

function isPlainInfo(info: unknown): boolean {
  return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}

function splitMeta(meta: JsonObject): Pick<PlainCall, 'envelope' | 'meta'> {
  const envelope: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(meta)) (reserved.has(key) ? envelope : rest)[key] = value;
  return { envelope, meta: Object.keys(rest).length > 0 ? keepWritten(meta, rest) : undefined };
}

const { protocolVersion, clientInfo, clientCapabilities, logLevel } = metaKeys;
const reserved: ReadonlySet<string> = new Set([protocolVersion, clientInfo, clientCapabilities, logLevel]);

const mirroring = new WeakMap<JsonSchema, boolean>();

/** Whether the schema requires arguments to be repeated in headers, which then have to be compared. */
function mirrorsHeaders(schema: JsonSchema): boolean {
  let known = mirroring.get(schema);
  if (known === undefined) {
    known = toJson(schema).includes('"x-mcp-header"');
    mirroring.set(schema, known);
  }
  return known;
}
