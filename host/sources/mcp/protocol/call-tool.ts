import type { TurnContext } from '../../../api/conversation.ts';
import type { Content, JsonObject, ToolResult } from '../../../api/result.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';
import { isTimeout } from '../../../core/async/deadline.ts';
import { createConcurrencyLimit } from '../../../core/async/concurrency-limit.ts';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import { taskTimeoutSeconds, type McpServerConfig } from '../config.ts';
import type { Connection } from '../connection/connection.ts';
import { ConnectionLost, type Fate } from '../transport/connection-lost.ts';
import { callerOfClient, type Connections, type UpstreamCaller } from '../connection/connections.ts';
import type { ElicitationTarget } from './elicitation.ts';
import { ownSampling, type SamplingModel } from './own-sampling.ts';
import type { ListedTool } from '../catalog/listed-tool.ts';
import { paramHeaders } from '../transport/http/param-headers.ts';
import { requestMeta } from '../transport/request-meta.ts';
import type { ReportLeftOut } from './fit.ts';
import { toToolResult } from './result.ts';
import { leftOut, noSuchTool, notApproved } from '../catalog/missing-tool.ts';
import type { ToolCatalog } from '../catalog/tool-catalog.ts';
import { unavailable, type Supervisor } from '../connection/supervisor.ts';
import { callAsTask, wantsTask } from './legacy-tasks.ts';
import type { CallTool, McpCall } from '../mcp-source.ts';

export interface ToolCallerOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly catalog: ToolCatalog;
  readonly connections: Connections;
  /** Asks the model of an agent; absent when there are no agents. */
  readonly complete: SamplingModel | undefined;
  readonly reportLeftOut: ReportLeftOut;
}

interface CallParts {
  readonly catalog: ToolCatalog;
  readonly supervisor: Supervisor<Connection>;
  readonly reportLeftOut: ReportLeftOut;
  /** See Asker. */
  readonly sample?: ElicitationTarget['sample'];
}

/** Maximum concurrent calls of one server. A call waits for less than its own time limit. */
const callLimits = { limit: 32, maxQueued: 500, queueTimeoutMs: 30_000 };
/** Maximum attempts of one call, each on a new connection. */
const maxAttempts = 3;

/** Calls tools of one server, each call over the connection of its caller. */
export function createToolCaller(options: ToolCallerOptions): CallTool {
  const { name, config, catalog, connections, complete, reportLeftOut } = options;
  const callLimit = createConcurrencyLimit({ ...callLimits, what: `calls of MCP server "${name}"` });
  const allowsSampling = config.clientCapabilities?.includes('sampling') === true;
  return async (tool, args, call) => {
    await callLimit.enter(call.signal);
    try {
      using lease = connections.acquire(callerOf(call));
      // Our own agent provides its model during its turn; a client has its own.
      const sample = allowsSampling && complete && isInTurn(call) && ownSampling(name, call, complete);
      return await callTool(name, tool, args, call, {
        catalog,
        supervisor: lease.supervisor,
        reportLeftOut,
        ...(sample && { sample }),
      });
    } finally {
      callLimit.leave();
    }
  };
}

const isInTurn = (call: McpCall): call is McpCall & { readonly turn: TurnContext } => call.turn !== undefined;

/**
 * Runs a tool, waiting for its server if needed. If the connection is lost, the call is repeated when the server can't
 * have received it or the tool is idempotent. A call that failed only because its session had expired is repeated once.
 */
async function callTool(
  server: string,
  tool: string,
  args: unknown,
  call: McpCall,
  { catalog, supervisor, reportLeftOut, sample }: CallParts,
): Promise<ToolResult> {
  const fates: Fate[] = [];
  for (;;) {
    refuseChanged(server, tool, catalog);
    const connection = await supervisor.ready(call.signal, isByPerson(call));
    refuseChanged(server, tool, catalog);
    const listed = catalog.find(tool);
    if (!listed) throw leftOut(tool, catalog) ?? noSuchTool(server, tool, catalog);
    let hasUnseenQuestion = false;
    try {
      const params = { name: listed.ownName, arguments: args ?? {} };
      const options = {
        signal: call.signal,
        onProgress: call.progress,
        meta: requestMeta(call.meta),
        headers: paramHeaders(connection, listed.inputSchema, args as JsonObject),
        asker: {
          ask: call.ask,
          signal: call.signal,
          peer: call.peer,
          between: call.client?.session,
          session: callerOf(call).session,
          onUnseenQuestion: () => void (hasUnseenQuestion = true),
          sample,
        },
      };
      const result = wantsTask(listed, connection)
        ? await callAsTask(connection, params, { ...options, timeoutMs: taskTimeoutSeconds * 1000 })
        : await connection.request('tools/call', params, options);
      const relayed = toToolResult(tool, result, connection.era.kind, (path) =>
        reportLeftOut(`a result of ${tool}`, path),
      );
      if (!hasUnseenQuestion) return relayed;
      return { ...relayed, content: [...relayed.content, unseenQuestion(server)] };
    } catch (cause) {
      if (isTimeout(cause) && connection.garbage !== undefined)
        throw new PegboardError(
          'PEG_TIMEOUT',
          `${server}.${tool} ${messageOf(cause)} and was stopped. Besides or instead of an answer, ${connection.garbage}.`,
        );
      if (!(cause instanceof ConnectionLost)) throw cause;
      // A connection that broke under one request may still carry others; one that can't be reached can't.
      if (cause.wasNotRun) supervisor.lost(connection, cause.message);
      fates.push(cause.fate);
      if (!mayRepeat(fates, listed)) throw lostInCall(server, tool, cause);
    }
  }
}

/** At the terminal, the prompt or the page, and not a model. */
const isByPerson = ({ turn, client, caller }: McpCall): boolean =>
  !turn && !client && (caller === 'cli' || caller === 'web');

/** Calls of a client without a session are independent, because another client may have the same name. */
function callerOf({ turn, client, peer, caller }: McpCall): UpstreamCaller {
  if (turn) return { session: `turn ${turn.conversation.id}` };
  if (client) return callerOfClient(client);
  return { session: peer ? undefined : `caller ${caller}` };
}

/** `fates`: those of the attempts so far. */
function mayRepeat(fates: readonly Fate[], { annotations }: ListedTool): boolean {
  if (fates.length === maxAttempts) return false;
  switch (fates.at(-1)!) {
    case 'unsent':
      return true;
    case 'refused':
      return fates.filter((fate) => fate === 'refused').length === 1;
    case 'answered':
      return false;
    case 'unknown':
      return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  }
}

/** Otherwise a model takes it for its user's answer. */
const unseenQuestion = (server: string): Content => ({
  type: 'text',
  text: `Note by Pegboard: during this call the MCP server "${server}" asked a question, which was declined without anybody having seen it. Calls of several sessions ran, and the server does not say which one it asks about. With "scope: session" in its entry, each session has a connection of its own.`,
});

function refuseChanged(server: string, tool: string, catalog: ToolCatalog): void {
  if (catalog.isPending(tool)) throw notApproved(server, tool);
}

function lostInCall(server: string, tool: string, cause: ConnectionLost): PegboardError {
  if (cause.wasNotRun) return unavailable(server, cause.message, cause);
  if (cause.fate === 'answered')
    return new PegboardError(
      'PEG_SERVER_ERROR',
      `MCP server "${server}" gave no usable answer to ${tool}: ${asSentence(cause.message)} It may have taken effect, so it was not called again.`,
      { cause, data: { server, sent: true } },
    );
  return new PegboardError(
    'PEG_SERVER_UNAVAILABLE',
    `The connection to MCP server "${server}" was lost while ${tool} ran: ${asSentence(cause.message)} It may have taken effect, so it was not called again.`,
    { cause, data: { server, sent: true } },
  );
}
