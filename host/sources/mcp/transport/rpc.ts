import type { Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../../api/result.ts';
import type { Progress } from '../../../api/tool.ts';
import { mergeWritten } from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
import { shorten } from '../../../core/text/shorten.ts';
import type { Callers } from '../connection/callers.ts';
import { ConnectionLost } from './connection-lost.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { isObject, type RpcMessage } from './rpc-message.ts';

export interface RpcOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The caller. */
  readonly asker?: ElicitationTarget | undefined;
  /** The caller's `_meta`. */
  readonly meta?: JsonObject | undefined;
  /** Extra headers, where the transport has any. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Requests sent directly over a transport, bypassing the SDK's client: results are unchanged, progress is never
 * dropped, and calls need no schema checks (0.05 ms each).
 */
export interface Rpc {
  request(method: string, params: JsonObject, options?: RpcOptions): Promise<JsonObject>;
  /** Takes a response or a progress notification that belongs to one of these requests. */
  receive(message: RpcMessage): boolean;
  /** Fails all pending requests; sent ones may have been received. */
  fail(why: string): void;
}

interface Waiting {
  readonly method: string;
  readonly onProgress: RpcOptions['onProgress'];
  readonly settle: (outcome: { readonly result: JsonObject } | { readonly failure: unknown }) => void;
}

/** The SDK's own ids count from 0. */
const firstId = 1 << 20;

export function createRpc(
  server: string,
  options: {
    readonly send: Transport['send'];
    /** Each request has a stream of its own, which ends when the request is cancelled. */
    readonly streams: boolean;
    /** Reserved `_meta` that this era requires in every request. */
    readonly envelope: (asker: ElicitationTarget | undefined) => JsonObject | undefined;
    /** Keeps the caller of each request until it is answered. */
    readonly callers: Callers;
    /** Converts failures of `send` to a ConnectionLost or an error for the user. */
    readonly explain: (cause: unknown) => Error;
  },
): Rpc {
  const { send, callers } = options;
  const waiting = new Map<number, Waiting>();
  let nextId = firstId;

  const cancel = (id: number, reason: unknown): void => {
    const envelope = options.envelope(undefined);
    const params = { requestId: id, reason: String(reason), ...(envelope && { _meta: envelope }) };
    // The server may have ended in the meantime.
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
  };

  const request = (method: string, params: JsonObject, given: RpcOptions = {}): Promise<JsonObject> => {
    const { signal, onProgress, asker } = given;
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = nextId++;
    const reserved = mergeWritten(given.meta ?? {}, {
      ...options.envelope(asker),
      ...(onProgress && { progressToken: id }),
    });
    const message = {
      jsonrpc: '2.0' as const,
      id,
      method,
      params: Object.keys(reserved).length === 0 ? params : { ...params, _meta: reserved },
    };
    const stream = options.streams ? new AbortController() : undefined;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const onAbort = (): void => {
      cancel(id, signal!.reason);
      callers.abandoned(id);
      settle({ failure: signal!.reason });
      stream?.abort();
    };
    const settle: Waiting['settle'] = (outcome) => {
      if (!waiting.delete(id)) return;
      signal?.removeEventListener('abort', onAbort);
      if ('result' in outcome) resolve(outcome.result);
      else reject(outcome.failure);
    };
    waiting.set(id, { method, onProgress, settle });
    if (asker) callers.begin(id, asker);
    signal?.addEventListener('abort', onAbort, { once: true });
    send(message, {
      ...(stream && { requestSignal: stream.signal }),
      ...(given.headers && { headers: given.headers }),
      onRequestStreamEnd: () =>
        settle({ failure: new ConnectionLost('it ended its answer before it was complete', 'answered') }),
    }).catch((cause: unknown) => {
      callers.answered(id);
      settle({ failure: options.explain(cause) });
    });
    return promise;
  };

  const receiveProgress = (params: JsonObject | undefined): boolean => {
    const entry = waiting.get(params?.['progressToken'] as number);
    if (!entry) return false;
    const progress = toProgress(params!);
    if (progress) entry.onProgress?.(progress);
    return true;
  };

  return {
    request,
    receive(message) {
      if (message.method === 'notifications/progress') return receiveProgress(message.params);
      if (message.method !== undefined) return false;
      // Some servers write every id as text.
      const id = Number(message.id);
      callers.answered(id);
      const entry = waiting.get(id);
      if (!entry) return id >= firstId;
      if (message.error !== undefined)
        entry.settle({ failure: toError(server, entry.method, message.error) });
      else if (isObject(message.result)) entry.settle({ result: message.result });
      else entry.settle({ failure: notAResult(server, entry.method, message.result) });
      return true;
    },
    fail(why) {
      for (const entry of waiting.values()) entry.settle({ failure: new ConnectionLost(why, 'unknown') });
    },
  };
}

/** Characters that are kept of a message of progress or of an error. */
const maxMessageLength = 4_000;

function toProgress({ progress, total, message, _meta }: JsonObject): Progress | undefined {
  if (typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message: shorten(message, maxMessageLength) }),
    ...(isObject(_meta) && { meta: _meta }),
  };
}

function toError(server: string, method: string, error: NonNullable<RpcMessage['error']>): PegboardError {
  const { code, message, data } = isObject(error)
    ? error
    : { code: undefined, message: error, data: undefined };
  const text =
    typeof message === 'string'
      ? visibleText(shorten(message, maxMessageLength))
      : 'an error without a message';
  return new PegboardError('PEG_SERVER_ERROR', `MCP server "${server}" refused ${method}: ${text}`, {
    data: {
      code,
      data,
      message: typeof message === 'string' ? message : text,
      ...(isObject(error) && !isUsual(error) && { error }),
    },
  });
}

/** Only members that JSON-RPC defines, in the order in which we write them. */
const isUsual = (error: object): boolean =>
  ['code,message', 'code,message,data'].includes(Object.keys(error).join());

function notAResult(server: string, method: string, result: unknown): PegboardError {
  const what = result === undefined ? 'nothing' : JSON.stringify(result).slice(0, 100);
  return new PegboardError(
    'PEG_SERVER_ERROR',
    `MCP server "${server}" answered ${method} with ${what} instead of a result object.`,
  );
}
