import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SseError,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { Logger } from '../../../api/log.ts';
import type { JsonObject } from '../../../api/result.ts';
import { untilAborted } from '../../../core/async/deadline.ts';
import { capabilitiesFor } from '../protocol/client-requests.ts';
import type { McpTransport } from '../config.ts';
import { createCallers } from './callers.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import type { Era } from '../transport/era.ts';
import { completeRequest } from '../protocol/complete-request.ts';
import { explainFailure } from '../transport/explain-failure.ts';
import type { Link } from '../transport/link.ts';
import { createRpc, type RpcOptions } from '../transport/rpc.ts';
import { tasksExtension } from '../protocol/upstream-tasks.ts';
import { handleServerMessages, type ServerMessageHandling } from './server-messages.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';

/** One live connection to one server. Ends once; a new one is opened after that. */
export interface Connection extends AsyncDisposable {
  readonly transport: McpTransport;
  readonly era: Era;
  readonly serverInfo: JsonObject | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  readonly pid: number | undefined;
  /** A description of what came that is no valid message; undefined when there was nothing. */
  readonly garbage: string | undefined;
  /** Resolves with the reason when the connection has ended, on either side. */
  readonly ended: Promise<string>;
  /**
   * The result as the server sent it. Meanwhile, questions of the server go to `asker`. Rejects with ConnectionLost, a
   * PegboardError, or the signal's reason.
   */
  request(method: string, params: JsonObject, options?: RpcOptions): Promise<JsonObject>;
  /** The resources whose changes are announced. */
  readonly subscriptions: Subscriptions;
}

export interface ConnectionOptions extends ServerMessageHandling {
  /** Of Pegboard, sent in the handshake. */
  readonly version: string;
  /** Aborts when the time to connect is up. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Maximum wait for a sign that a local server speaks the new protocol; an old one may never answer the question. */
const probeMs = 5_000;
/** Results are relayed unchanged, so the SDK must not compile output schemas. */
const noValidation = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input, errorMessage: undefined }),
};

/** Connects the client over a link, which is closed on failure. Throws the original error. */
export async function connect(
  link: Link,
  prior: PriorDiscovery | undefined,
  options: ConnectionOptions,
): Promise<Connection> {
  const { name, config, log, redact, owner } = options;
  const { kind, transport } = link;
  const closed = new AbortController();
  const ended = Promise.withResolvers<string>();
  const callers = createCallers();
  const defaultAsker = (): ElicitationTarget | undefined => {
    const peer = owner();
    return peer && { ask: noQuestions, signal: closed.signal, session: `client ${peer.id}`, peer };
  };
  const client = createClient(kind, options, defaultAsker());
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
  handleServerMessages(link, { ...options, rpc, callers, defaultAsker });
  const onerror = (error: Error): void => {
    log.debug('transport error', { cause: error });
    // The event source would reconnect automatically, with a new session that isn't initialized.
    if (kind === 'sse' && error instanceof SseError) void link.close();
  };
  const onclose = (): void => {
    const why = link.ending() ?? 'the connection was closed';
    ended.resolve(why);
    rpc.fail(why);
  };
  Object.assign(client, { onerror, onclose });

  await shakeHands(client, link, prior, options);
  const discover = client.getDiscoverResult();
  if (client.getProtocolEra() === 'modern') {
    envelope = {
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
      [CLIENT_INFO_META_KEY]: clientInfo(options.version),
    };
  }
  const subscriptions = openSubscriptions(client, rpc, log);
  const input = { server: name, config, redact };
  const rootsListener = config.clientCapabilities?.includes('roots')
    ? owner()?.onRootsChanged(() => announceRootsChanged(client, log))
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
      // Dispatch redacts the results of calls.
      if (method === 'tools/call') return await completeRequest(rpc, input, method, params, given);
      return redact(await completeRequest(rpc, input, method, params, redacted(given, redact)));
    },
    async [Symbol.asyncDispose]() {
      closed.abort(new Error('the connection was closed'));
      rootsListener?.[Symbol.dispose]();
      subscriptions[Symbol.dispose]();
      await link.close();
    },
  };
}

const clientInfo = (version: string): { readonly name: string; readonly version: string } => ({
  name: 'pegboard',
  version,
});

function createClient(
  kind: McpTransport,
  { config, version, timeoutMs }: ConnectionOptions,
  owner: ElicitationTarget | undefined,
): Client {
  return new Client(clientInfo(version), {
    capabilities: capabilitiesFor(config, owner),
    jsonSchemaValidator: noValidation as never,
    versionNegotiation: {
      mode: 'auto',
      probe: { timeoutMs: kind === 'stdio' ? Math.min(timeoutMs, probeMs) : timeoutMs },
    },
  });
}

async function shakeHands(
  client: Client,
  link: Link,
  prior: PriorDiscovery | undefined,
  { signal, timeoutMs }: ConnectionOptions,
): Promise<void> {
  try {
    const handshake = client.connect(link.transport, { timeout: timeoutMs, ...(prior && { prior }) });
    handshake.catch(() => {}); // It may still fail after the signal has aborted.
    await untilAborted(handshake, signal);
  } catch (cause) {
    await link.close().catch(() => {});
    throw cause;
  }
}

/** Redacts what the caller sees while the request runs. */
function redacted(
  { asker, onProgress, ...rest }: RpcOptions,
  redact: ConnectionOptions['redact'],
): RpcOptions {
  return {
    ...rest,
    ...(onProgress && { onProgress: (progress) => onProgress(redact(progress)) }),
    ...(asker && { asker: { ...asker, ask: (question, signal) => asker.ask(redact(question), signal) } }),
  };
}

/** Questions to a person belong to a call. */
const noQuestions: ElicitationTarget['ask'] = async () => ({ action: 'decline' });

function announceRootsChanged(client: Client, log: Logger): void {
  client
    .notification({ method: 'notifications/roots/list_changed' })
    .catch((cause: unknown) => log.debug('a change of roots was not passed on', { cause }));
}
