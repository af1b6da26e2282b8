import { PegboardError, messageOf } from '../../core/errors.ts';

/** JSON-RPC and MCP error codes that this face answers with itself. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** What implementations agree on for an HTTP-level refusal. */
  refused: -32000,
  sessionNotFound: -32001,
  missingClientCapability: -32021,
} as const;

/** Becomes the error of a JSON-RPC response; the SDK and our own answers read `code` and `data`. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string, data?: unknown): RpcError =>
  new RpcError(rpcCodes.invalidParams, message, data);

/** What failed, as the client is told: a server's own error keeps its code. */
export function toRpcError(cause: unknown): RpcError {
  if (cause instanceof RpcError) return cause;
  const message = messageOf(cause);
  if (!(cause instanceof PegboardError)) return new RpcError(rpcCodes.internalError, message);
  if (cause.code === 'PEG_CLIENT_CAPABILITY') {
    return new RpcError(rpcCodes.missingClientCapability, message, cause.data);
  }
  const { code, data } = (cause.data ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  return new RpcError(Number.isSafeInteger(code) ? (code as number) : rpcCodes.internalError, message, data);
}
