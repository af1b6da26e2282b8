import type { JsonObject } from '../../../api/result.ts';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import type { Connection } from './connection.ts';
import type { Era } from '../transport/era.ts';
import { listAll, type Listed } from '../catalog/listing.ts';
import type { OpenOptions } from './open-connection.ts';
import type { ResolvedServer } from '../resolve.ts';
import { unavailable } from './supervisor.ts';

export interface OpenedServer {
  readonly connection: Connection;
  readonly tools: Listed;
}

/** A server counts as open when it has listed its tools. The remembered protocol may be out of date. */
export async function openServer(server: ResolvedServer, options: OpenOptions): Promise<OpenedServer> {
  const { openConnection } = await import('./open-connection.ts');
  const attempt = async (era: Era | undefined): Promise<OpenedServer> => {
    const connection = await openConnection(server, { ...options, era });
    try {
      return { connection, tools: await listTools(options.name, connection, options.signal) };
    } catch (cause) {
      await connection[Symbol.asyncDispose]();
      throw cause;
    }
  };
  try {
    return await attempt(options.era);
  } catch (cause) {
    if (!options.era || options.signal.aborted || !mayBeOutOfDate(options.era, cause)) throw cause;
    options.log.info('its remembered protocol version is out of date; negotiating again', { cause });
    return attempt(undefined);
  }
}

const methodNotFound = -32601;

export async function listTools(
  server: string,
  connection: Connection,
  signal: AbortSignal,
): Promise<Listed> {
  if (connection.capabilities['tools'] === undefined) return { items: [] };
  try {
    const request = async (method: string, params: JsonObject): Promise<JsonObject> => {
      const result = await connection.request(method, params, { signal });
      if (connection.era.kind === 'modern' && result['resultType'] === undefined) throw notModern();
      return result;
    };
    return await listAll(request, 'tools/list', 'tools');
  } catch (cause) {
    if (
      cause instanceof PegboardError &&
      (cause.data as { code?: unknown } | undefined)?.code === methodNotFound
    )
      return { items: [] };
    throw ofList(server, cause, connection.garbage);
  }
}

/** The error when listing fails, with a message that says so. */
function ofList(server: string, cause: unknown, garbage: string | undefined): unknown {
  if (cause instanceof PegboardError && cause.message.includes('tools/list')) return cause;
  if (cause instanceof PegboardError)
    return new PegboardError(cause.code, `tools/list failed: ${cause.message}`, { cause, data: cause.data });
  return unavailable(
    server,
    `its tools/list failed: ${messageOf(cause)}${garbage === undefined ? '' : `: ${garbage}`}`,
    cause,
  );
}

/** Some old servers answer without a handshake, and would be taken for new ones forever. */
function notModern(): PegboardError {
  return new PegboardError('PEG_SERVER_ERROR', 'The server no longer speaks the 2026-07-28 protocol.');
}

/** An old server that was taken for a new one may fail in any way; a new one refuses the old handshake. */
function mayBeOutOfDate(era: Era, cause: unknown): boolean {
  if (era.kind === 'legacy') return cause instanceof PegboardError && cause.code === 'PEG_SERVER_ERROR';
  return !(cause instanceof PegboardError && cause.code === 'PEG_SERVER_UNAUTHORIZED');
}
