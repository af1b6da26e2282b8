import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SseError,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { Logger } from '../../../api/log.ts';
import type { ClientSession } from '../../../api/mcp/peer.ts';
import type { JsonObject } from '../../../api/result.ts';
import { untilAborted } from '../../../core/async/deadline.ts';
import { capabilitiesFor } from '../protocol/client-requests.ts';
import type { McpServerConfig, McpTransport } from '../config.ts';
import { createCallers } from './callers.ts';
import { afterFirstAnswer } from '../transport/connection-lost.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import type { Era } from '../transport/era.ts';
import { explainFailure } from '../transport/explain-failure.ts';
import { interceptMessages } from '../transport/inbound.ts';
import { completeWithInput } from '../protocol/input-required.ts';
import type { Link } from '../transport/link.ts';
import { answerRequest } from '../protocol/answer-request.ts';
import { createRpc, type RpcOptions } from '../transport/rpc.ts';
import { passLogMessage } from '../protocol/server-log.ts';
import { finishTask, tasksExtension } from '../protocol/upstream-tasks.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';

/** One live connection to one server. Ends once; a new one is opened after that. */
export interface Connection extends AsyncDisposable {
  readonly transport: McpTransport;
  readonly era: Era;
  readonly serverInfo: JsonObject | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  readonly pid: number | undefined;
  /** What came that answers nothing, in words; undefined while all was well. */
  readonly garbage: string | undefined;
  /** Resolves with the reason when the connection has ended, whoever ended it. */
  readonly ended: Promise<string>;
  /**
   * The result as the server sent it. Questions of the server meanwhile go to `asker`. Rejects with ConnectionLost, a
   * PegboardError, or the signal's reason.
   */
  request(method: string, params: JsonObject, options?: RpcOptions): Promise<JsonObject>;
  /** The resources whose changes are announced. */
  readonly subscriptions: Subscriptions;
}

export interface ConnectionOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Of Pegboard, as the server is told. */
  readonly version: string;
  readonly log: Logger;
  /** Aborts when the time to connect is up. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Takes out what is known as a secret: servers repeat what they were started with. */
  readonly redact: <T>(value: T) => T;
  /** The client that it is for; undefined while it is for nobody, or for several. */
  readonly owner: () => ClientSession | undefined;
  readonly onNotification: (method: string, params: JsonObject | undefined) => void;
  /** Something odd about the server that a person should know. */
  readonly onOddity: (code: string, message: string) => void;
}

/** Longest wait for a sign that a local server speaks the new protocol; an old one may never answer the question. */
const probeMs = 5_000;
/** Results are relayed as they are: the SDK is not to compile output schemas. */
const noValidation = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input, errorMessage: undefined }),
};

/** Introduces Pegboard over a link, which is closed when that fails. Throws whatever went wrong, unexplained. */
export async function connect(
  link: Link,
  prior: PriorDiscovery | undefined,
  options: ConnectionOptions,
): Promise<Connection> {
  const { name, config, log, signal, timeoutMs, redact } = options;
  const { kind, transport } = link;
  const info = { name: 'pegboard', version: options.version };
  const ownerAsAsker = (): ElicitationTarget | undefined => {
    const peer = options.owner();
    return peer && { ask: noQuestions, signal: closed.signal, session: `client ${peer.id}`, peer };
  };
  const closed = new AbortController();
  const client = new Client(info, {
    capabilities: capabilitiesFor(config, ownerAsAsker()),
    jsonSchemaValidator: noValidation as never,
    versionNegotiation: {
      mode: 'auto',
      probe: { timeoutMs: kind === 'stdio' ? Math.min(timeoutMs, probeMs) : timeoutMs },
    },
  });
  const callers = createCallers();
  const ended = Promise.withResolvers<string>();
  let envelope: JsonObject | undefined;

  const rpc = createRpc(name, {
    send: link.send,
    streams: transport.hasPerRequestStream === true,
    callers,
    envelope: (asker) =>
      envelope && {
        ...envelope,
        [CLIENT_CAPABILITIES_META_KEY]: {
          ...capabilitiesFor(config, asker ?? {}),
          extensions: { [tasksExtension]: {} },
        },
      },
    explain: (cause) => explainFailure(name, cause),
  });
  interceptMessages(transport, {
    response: (message) => rpc.receive(message.error === undefined ? message : redact(message)),
    request: (message, related) =>
      answerRequest(message, {
        server: name,
        config,
        send: link.send,
        askerOf: () => callers.askerFor(related) ?? ownerAsAsker(),
        redact,
        log,
      }),
    notification: (method, said, related) => {
      const params = redact(said);
      if (method === 'notifications/message' && params)
        passLogMessage(params, log, callers.listenerFor(related) ?? options.owner());
      options.onNotification(method, params);
    },
    flood: (persistent) => {
      options.onOddity('mcp-flood', 'sends more than 1,000 notifications a second; the rest is dropped');
      if (persistent) void link.close();
    },
  });
  const onerror = (error: Error): void => {
    log.debug('transport error', { cause: error });
    // The event source would come back by itself, with a new session that nobody has introduced himself to.
    if (kind === 'sse' && error instanceof SseError) void link.close();
  };
  const onclose = (): void => {
    const why = link.ending() ?? 'the connection was closed';
    ended.resolve(why);
    rpc.fail(why);
  };
  Object.assign(client, { onerror, onclose });

  try {
    const handshake = client.connect(transport, { timeout: timeoutMs, ...(prior && { prior }) });
    handshake.catch(() => {}); // When time is up first, it fails later with nobody to tell.
    await untilAborted(handshake, signal);
  } catch (cause) {
    await link.close().catch(() => {});
    throw cause;
  }
  const discover = client.getDiscoverResult();
  if (client.getProtocolEra() === 'modern') {
    envelope = {
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
      [CLIENT_INFO_META_KEY]: info,
    };
  }
  const subscriptions = openSubscriptions(client, rpc, log);
  const input = { server: name, config, redact };
  const send: Connection['request'] = async (method, params, given = {}) => {
    let isAnswered = false;
    /** All requests that one may take; of these only the first can be said not to have been received. */
    const request: Connection['request'] = async (...one) => {
      try {
        const result = await rpc.request(...one);
        isAnswered = true;
        return result;
      } catch (cause) {
        throw isAnswered ? afterFirstAnswer(cause) : cause;
      }
    };
    const round = (one: JsonObject): Promise<JsonObject> => request(method, one, given);
    const result = await completeWithInput(input, params, given.asker, round);
    return result['resultType'] === 'task' ? finishTask(input, result, given.asker, request) : result;
  };
  const followingRoots = config.clientCapabilities?.includes('roots')
    ? options.owner()?.onRootsChanged(() => tellRootsChanged(client, log))
    : undefined;
  return {
    transport: kind,
    era: discover ? { kind: 'modern', discover } : { kind: 'legacy', learnedAt: Date.now() },
    serverInfo: redact(client.getServerVersion()),
    capabilities: client.getServerCapabilities() ?? {},
    instructions: redact(client.getInstructions()),
    pid: link.pid(),
    get garbage() {
      return link.garbage?.();
    },
    ended: ended.promise,
    subscriptions,
    async request(method, params, given = {}) {
      // Calls pass through dispatch, which does the same.
      if (method !== 'tools/call') return redact(await send(method, params, redacted(given, redact)));
      return await send(method, params, given);
    },
    async [Symbol.asyncDispose]() {
      closed.abort(new Error('the connection was closed'));
      followingRoots?.[Symbol.dispose]();
      subscriptions[Symbol.dispose]();
      await link.close();
    },
  };
}

type RequestOptions = NonNullable<Parameters<Connection['request']>[2]>;

/** What is said to the caller while the request runs. */
function redacted(
  { asker, onProgress, ...rest }: RequestOptions,
  redact: ConnectionOptions['redact'],
): RequestOptions {
  return {
    ...rest,
    ...(onProgress && { onProgress: (progress) => onProgress(redact(progress)) }),
    ...(asker && { asker: { ...asker, ask: (question, signal) => asker.ask(redact(question), signal) } }),
  };
}

/** Questions to a person belong to a call. */
const noQuestions: ElicitationTarget['ask'] = async () => ({ action: 'decline' });

function tellRootsChanged(client: Client, log: Logger): void {
  client
    .notification({ method: 'notifications/roots/list_changed' })
    .catch((cause: unknown) => log.debug('a change of roots was not passed on', { cause }));
}
