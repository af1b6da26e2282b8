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
