import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type AuthProvider,
  type PriorDiscovery,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Logger } from '../../api/log.ts';
import type { JsonObject } from '../../api/result.ts';
import { isTimeout, untilAborted } from '../../core/deadline.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import type { McpTransport } from './config.ts';
import { ConnectionLost } from './connection-lost.ts';
import { askerFor, elicit, type Asker } from './elicitation.ts';
import { toPrior, type Era } from './era.ts';
import { explainFailure, statusOf } from './explain-failure.ts';
import { interceptMessages } from './inbound.ts';
import { completeWithInput } from './input-required.ts';
import type { ResolvedServer } from './resolve.ts';
import { createRpc, type Rpc, type RpcOptions } from './rpc.ts';
import { isObject, type RpcId, type RpcMessage } from './rpc-message.ts';
import { unavailable } from './supervisor.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';
import { passLogMessage } from './server-log.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';

/** One live connection to one server. Ends once; a new one is opened after that. */
export interface Connection extends AsyncDisposable {
  readonly transport: McpTransport;
  readonly era: Era;
  readonly serverInfo: JsonObject | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  readonly pid: number | undefined;
  /** Resolves with the reason when the connection has ended, whoever ended it. */
  readonly ended: Promise<string>;
  /**
   * The result as the server sent it. Questions of the server meanwhile go to `asker`. Rejects with ConnectionLost, a
   * PegboardError, or the signal's reason.
   */
  request(
    method: string,
    params: JsonObject,
    options?: RpcOptions & { readonly asker?: Asker },
  ): Promise<JsonObject>;
  /** The resources whose changes are announced. */
  readonly subscriptions: Subscriptions;
}

export interface ConnectOptions {
  readonly name: string;
  readonly version: string;
  readonly log: Logger;
  /** What is known from last time; a wrong memory makes connecting fail. */
  readonly era: Era | undefined;
  /** Which one worked last time. */
  readonly transport: McpTransport | undefined;
  /** Aborts when the time to connect is up. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly authProvider: AuthProvider | undefined;
  readonly onNotification: (method: string, params: JsonObject | undefined) => void;
  /** Something odd about the server that a person should know. */
  readonly onOddity: (code: string, message: string) => void;
}

/** Longest wait for a sign that a local server speaks the new protocol; an old one may never answer the question. */
const probeMs = 5_000;
const terminateMs = 1_000;
const capabilities = { elicitation: { form: {}, url: {} } };
/** Results are relayed as they are: the SDK is not to compile output schemas. */
const noValidation = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input, errorMessage: undefined }),
};

/** Throws PEG_SERVER_UNAVAILABLE, PEG_SERVER_UNAUTHORIZED, PEG_PROGRAM_NOT_FOUND or PEG_CONFIG. */
export async function openConnection(server: ResolvedServer, options: ConnectOptions): Promise<Connection> {
  try {
    switch (server.kind) {
      case 'stdio':
        return await connectStdio(server, options);
      case 'sse':
        return await connect('sse', () => sseTransport(server, options), toPrior(options.era), options);
      case 'http':
        return await connectHttp(server, options);
    }
  } catch (cause) {
    throw connectFailure(cause, options);
  }
}

async function connectStdio(
  server: ResolvedServer & { readonly kind: 'stdio' },
  options: ConnectOptions,
): Promise<Connection> {
  let transport: StdioTransport | undefined;
  const open = (): Transport =>
    (transport = createStdioTransport(server, {
      name: options.name,
      log: options.log,
      onGarbage: (line) =>
        options.onOddity(
          'mcp-stdout-garbage',
          `prints to stdout what is no message, for instance: ${JSON.stringify(line)}`,
        ),
    }));
  const prior = toPrior(options.era);
  try {
    return await connect('stdio', open, prior, options);
  } catch (cause) {
    // Some old servers end when they are asked anything before the old handshake.
    const endedWhenAsked = prior === undefined && transport?.ending !== undefined && !options.signal.aborted;
    if (!endedWhenAsked) throw withEnding(cause, transport);
  }
  try {
    return await connect('stdio', open, { kind: 'legacy' }, options);
  } catch (cause) {
    throw withEnding(cause, transport);
  }
}

function withEnding(cause: unknown, transport: StdioTransport | undefined): unknown {
  if (cause instanceof PegboardError || transport?.ending === undefined) return cause;
  return new ConnectionLost(transport.ending, false, cause);
}

async function connectHttp(server: HttpServer, options: ConnectOptions): Promise<Connection> {
  const http = (): Promise<Connection> =>
    connect('http', () => httpTransport(server, options), toPrior(options.era), options);
  const sse = (): Promise<Connection> =>
    connect('sse', () => sseTransport(server, options), { kind: 'legacy' }, options);
  if (options.transport === 'sse') return sse().catch(http);
  try {
    return await http();
  } catch (cause) {
    const status = statusOf(cause);
    if (status !== 404 && status !== 405 && status !== 400) throw cause;
    options.log.info(`Streamable HTTP is answered with ${status}; trying the older SSE transport`);
    return sse().catch(() => Promise.reject(cause as Error));
  }
}

type HttpServer = ResolvedServer & { readonly kind: 'http' | 'sse' };

const httpTransport = ({ url, headers }: HttpServer, { authProvider }: ConnectOptions): Transport =>
  new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    ...(authProvider && { authProvider }),
  });

const sseTransport = ({ url, headers }: HttpServer, { authProvider }: ConnectOptions): Transport =>
  new SSEClientTransport(url, { requestInit: { headers }, ...(authProvider && { authProvider }) });

async function connect(
  kind: McpTransport,
  open: () => Transport,
  prior: PriorDiscovery | undefined,
  options: ConnectOptions,
): Promise<Connection> {
  const { name, log, signal, timeoutMs } = options;
  const info = { name: 'pegboard', version: options.version };
  const client = new Client(info, {
    capabilities,
    jsonSchemaValidator: noValidation as never,
    versionNegotiation: {
      mode: 'auto',
      probe: { timeoutMs: Math.min(timeoutMs, kind === 'stdio' ? probeMs : timeoutMs) },
    },
  });
  const transport = open();
  const running = new Set<Asker>();
  const ended = Promise.withResolvers<string>();
  let envelope: JsonObject | undefined;

  const rpc: Rpc = createRpc(name, transport, {
    envelope: () => envelope,
    explain: (cause) => explainFailure(name, cause),
  });
  interceptMessages(transport, {
    response: (message) => rpc.receive(message),
    request: (message) => answerRequest(message, transport, () => elicitFor(name, message, running, log)),
    notification: (method, params) => {
      if (method === 'notifications/message' && params) passLogMessage(params, log, askerFor(running)?.peer);
      options.onNotification(method, params);
    },
    flood: (persistent) => {
      options.onOddity('mcp-flood', 'sends more than 1,000 notifications a second; the rest is dropped');
      if (persistent) void client.close();
    },
  });
  const onerror = (error: Error): void => {
    log.debug('transport error', { cause: error });
    // The event source would come back by itself, with a new session that nobody has introduced himself to.
    if (kind === 'sse' && error instanceof SseError) void client.close();
  };
  const onclose = (): void => {
    const why = (transport as Partial<StdioTransport>).ending ?? 'the connection was closed';
    ended.resolve(why);
    rpc.fail(why);
  };
  Object.assign(client, { onerror, onclose });

  try {
    const handshake = client.connect(transport, { timeout: timeoutMs, ...(prior && { prior }) });
    handshake.catch(() => {}); // When time is up first, it fails later with nobody to tell.
    await untilAborted(handshake, signal);
  } catch (cause) {
    await transport.close().catch(() => {});
    throw cause;
  }
  const discover = client.getDiscoverResult();
  if (client.getProtocolEra() === 'modern') {
    envelope = {
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
      [CLIENT_INFO_META_KEY]: info,
      [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    };
  }
  const pid = (transport as Partial<StdioTransport>).pid;
  const subscriptions = openSubscriptions(client, rpc, log);
  return {
    transport: kind,
    era: discover ? { kind: 'modern', discover } : { kind: 'legacy', learnedAt: Date.now() },
    serverInfo: client.getServerVersion(),
    capabilities: client.getServerCapabilities() ?? {},
    instructions: client.getInstructions(),
    pid,
    ended: ended.promise,
    subscriptions,
    async request(method, params, { asker, ...rpcOptions } = {}) {
      if (asker) running.add(asker);
      try {
        return await completeWithInput(name, params, asker, (round) =>
          rpc.request(method, round, rpcOptions),
        );
      } finally {
        if (asker) running.delete(asker);
      }
    },
    async [Symbol.asyncDispose]() {
      subscriptions[Symbol.dispose]();
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
        const goodbye = transport.terminateSession().catch(() => {});
        await Promise.race([goodbye, sleep(terminateMs, undefined, { ref: false })]);
      }
      await client.close();
      await transport.close();
    },
  };
}

/** Only questions to a person are answered here; the SDK answers pings and refuses the rest. */
function answerRequest(
  message: RpcMessage,
  transport: Transport,
  answer: () => Promise<JsonObject>,
): boolean {
  if (message.method !== 'elicitation/create') return false;
  const id = message.id as RpcId;
  const send = (response: object): void =>
    void transport.send({ jsonrpc: '2.0', id, ...response } as never).catch(() => {});
  answer().then(
    (result) => send({ result }),
    (cause: unknown) => send({ error: { code: -32603, message: messageOf(cause) } }),
  );
  return true;
}

function elicitFor(
  name: string,
  { params }: RpcMessage,
  running: ReadonlySet<Asker>,
  log: Logger,
): Promise<JsonObject> {
  const asker = askerFor(running);
  if (!asker)
    log.warn('a question of the server was declined: it belongs to no call that runs for one caller');
  return elicit(name, isObject(params) ? params : undefined, asker);
}

function connectFailure(cause: unknown, { name, signal, timeoutMs }: ConnectOptions): Error {
  if (signal.aborted && isTimeout(signal.reason)) {
    return unavailable(name, `it did not answer within ${timeoutMs / 1000} s`, cause);
  }
  if (signal.aborted) return signal.reason as Error;
  const explained = explainFailure(name, cause);
  return explained instanceof ConnectionLost ? unavailable(name, explained.message, cause) : explained;
}
