import { type JsonObject, type Logger, PegboardError } from 'pegboard';
import { messageOf } from 'pegboard/kit';
import { isObject } from './exchange.ts';

/** JSON-RPC and MCP error codes that this face answers with itself. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The code that implementations use for an HTTP-level refusal. */
  refused: -32000,
  sessionNotFound: -32001,
  resourceNotFound: -32002,
  missingClientCapability: -32021,
} as const;

/** Becomes the error of a JSON-RPC response; the SDK and our own answers read `code` and `data`. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  /** The server's error as it came, where it has more members or another order. */
  readonly whole: JsonObject | undefined;

  constructor(code: number, message: string, data?: unknown, whole?: JsonObject) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.whole = whole;
  }
}

/** The error of a response. An error that isn't one of ours is logged too. */
export function toErrorMember(
  cause: unknown,
  log: Logger,
): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (!(cause instanceof RpcError)) {
    log.error('a tools/call failed', { cause });
    return { code: rpcCodes.internalError, message: messageOf(cause) };
  }
  const { code, message, data, whole } = cause;
  if (whole) return whole as { readonly code: number; readonly message: string };
  return { code, message, ...(data !== undefined && { data }) };
}

export const invalidParams = (message: string, data?: unknown): RpcError =>
  new RpcError(rpcCodes.invalidParams, message, data);

/** The error for the client: a server's own error keeps its code. */
export function toRpcError(cause: unknown): RpcError {
  if (cause instanceof RpcError) return cause;
  const message = messageOf(cause);
  if (!(cause instanceof PegboardError)) return new RpcError(rpcCodes.internalError, message);
  if (cause.code === 'PEG_CLIENT_CAPABILITY') {
    return new RpcError(rpcCodes.missingClientCapability, message, cause.data);
  }
  return rpcErrorIn(cause.data) ?? new RpcError(rpcCodes.internalError, message);
}

/** The error of a server's protocol, as it came, in what a failure says of it. */
export function rpcErrorIn(failure: unknown): RpcError | undefined {
  const { code, message, data, error } = (failure ?? {}) as { readonly [member: string]: unknown };
  if (!Number.isSafeInteger(code)) return undefined;
  const whole = isObject(error) && typeof error['message'] === 'string' ? error : undefined;
  return new RpcError(code as number, String(message), data, whole);
}

/**
 * The SDK makes invalid params of a resource that wasn't found, which is right for the modern protocol only. Of a
 * legacy client's error it gets to see another code, and our transports put the right one back.
 */
const keptNotFound = -1_032_002;

export function keepNotFound(error: RpcError): RpcError {
  if (error.code !== rpcCodes.resourceNotFound) return error;
  return new RpcError(keptNotFound, error.message, error.data);
}

/** The message as a transport sends it. */
export function withOwnCode<T extends object>(message: T): T {
  const { error } = message as { readonly error?: { readonly code: number } };
  if (error?.code !== keptNotFound) return message;
  return { ...message, error: { ...error, code: rpcCodes.resourceNotFound } };
}
