import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport as ModernPipes } from '@modelcontextprotocol/server/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport as OldPipes } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ElicitRequestSchema,
  ProgressNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../../host/api/result.ts';
import { serveHttp } from '../../../plugins/builtin-mcp-server/http/http.ts';
import type { ServedHost } from '../../../plugins/builtin-mcp-server/served-host.ts';
import type { RunningCli } from '../cli.ts';
import { compileCache } from './mcp-source.ts';
import { suiteHost } from '../../fixtures/mcp-server/suite-host.ts';

/** A third-party client, connected to the suite's host, with a common interface for all SDKs. */
export interface ForeignClient extends AsyncDisposable {
  readonly era: 'legacy' | 'modern';
  /** The server's instructions. */
  readonly instructions: string | undefined;
  listTools(): Promise<readonly JsonObject[]>;
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<JsonObject>;
  /** Resolves when the client is next told that the tools changed. */
  toolsChanged(): Promise<void>;
}

interface CallOptions {
  readonly meta?: JsonObject;
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: JsonObject) => void;
}

export interface ConnectOptions {
  /** Answers questions; without it the client doesn't declare that it can. */
  readonly answer?: (params: JsonObject) => JsonObject | Promise<JsonObject>;
  /** The client's name. */
  readonly name?: string;
  /** Over HTTP: the selection of tools. */
  readonly preset?: string;
}

type Connect = (options?: ConnectOptions) => Promise<ForeignClient>;
type Way = 'SDK v1' | 'SDK v2, legacy' | 'SDK v2, modern';
type Ways<Where> = {
  readonly [way in Way]: (where: Where, options?: ConnectOptions) => Promise<ForeignClient>;
};

/** The process that a client starts for stdio. */
interface ServerProcess {
  readonly command: string;
  readonly args: string[];
  readonly stderr: 'ignore';
}

/** Clients pass on little of their environment. */
const withState = (server: ServerProcess) => ({
  ...server,
  env: {
    PATH: process.env['PATH']!,
    XDG_STATE_HOME: process.env['XDG_STATE_HOME']!,
    ...compileCache,
  },
});

/** The SDK's first version, and its second in both eras, to a host that is served here over HTTP. */
export const overHttp: Ways<ServedHost> = {
  'SDK v1': (host, options) =>
    withHttp(host, options, (url, init) => connectOld(new OldHttp(url, init), options)),
  'SDK v2, legacy': (host, options) =>
    withHttp(host, options, (url, init) => connectModern('legacy', new ModernHttp(url, init), options)),
  'SDK v2, modern': (host, options) =>
    withHttp(host, options, (url, init) => connectModern('auto', new ModernHttp(url, init), options)),
};

/** The same, connected to a process. */
const overStdio: Ways<ServerProcess> = {
  'SDK v1': (server, options) => connectOld(new OldStdio(withState(server)), options),
  'SDK v2, legacy': (server, options) => connectModern('legacy', new ModernStdio(withState(server)), options),
  'SDK v2, modern': (server, options) => connectModern('auto', new ModernStdio(withState(server)), options),
};

/** The same, connected to `pegboard serve` in the test's own process, which ends with the client. */
export const overPipes: Ways<RunningCli> = {
  'SDK v1': (serving, options) =>
    withPipes(serving, (output) => connectOld(new OldPipes(output, serving.child.stdin), options)),
  'SDK v2, legacy': (serving, options) =>
    withPipes(serving, (output) =>
      connectModern('legacy', new ModernPipes(output, serving.child.stdin), options),
    ),
  'SDK v2, modern': (serving, options) =>
    withPipes(serving, (output) =>
      connectModern('auto', new ModernPipes(output, serving.child.stdin), options),
    ),
};

/** `connect` gets its output as bytes: it was decoded for whoever follows it. */
async function withPipes(
  serving: RunningCli,
  connect: (output: Readable) => Promise<ForeignClient>,
): Promise<ForeignClient> {
  const client = await connect(serving.child.stdout.pipe(new PassThrough()));
  return {
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      serving.child.stdin.end();
      await serving[Symbol.asyncDispose]();
    },
  };
}

const suiteProcess: ServerProcess = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../fixtures/mcp-server/stdio.ts')],
  stderr: 'ignore',
};

/** Every combination of SDK and transport, connected to the suite's host. */
export const connectAs: { readonly [how: string]: Connect } = {
  'SDK v1 over HTTP': async (options) => overHttp['SDK v1'](await suiteHost(), options),
  'SDK v1 over stdio': (options) => overStdio['SDK v1'](suiteProcess, options),
  'SDK v2, legacy, over HTTP': async (options) => overHttp['SDK v2, legacy'](await suiteHost(), options),
  'SDK v2, modern, over HTTP': async (options) => overHttp['SDK v2, modern'](await suiteHost(), options),
  'SDK v2, legacy, over stdio': (options) => overStdio['SDK v2, legacy'](suiteProcess, options),
  'SDK v2, modern, over stdio': (options) => overStdio['SDK v2, modern'](suiteProcess, options),
};

async function withHttp(
  host: ServedHost,
  { preset }: ConnectOptions = {},
  connect: (url: URL, init: { readonly requestInit: RequestInit }) => Promise<ForeignClient>,
): Promise<ForeignClient> {
  const server = await serveHttp(host, { port: 0, ...(preset !== undefined && { preset }) });
  const client = await connect(new URL(server.url), {
    requestInit: { headers: { Authorization: `Bearer ${server.token}` } },
  });
  return {
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/**
 * Gets progress through its own handlers: those of the SDKs drop notifications that arrive together with the response.
 * `token` goes into a call's meta.
 */
function createProgress() {
  const listeners = new Map<unknown, (progress: JsonObject) => void>();
  return {
    onNotification({ progressToken, ...progress }: JsonObject): void {
      listeners.get(progressToken)?.(progress);
    },
    token({ onprogress }: CallOptions): JsonObject {
      if (!onprogress) return {};
      const progressToken = `progress-${listeners.size + 1}`;
      listeners.set(progressToken, onprogress);
      return { progressToken };
    },
  };
}

export async function connectOld(
  transport: OldHttp | OldStdio | OldPipes,
  { answer, name = 'old' }: ConnectOptions = {},
): Promise<ForeignClient> {
  const client = new OldClient({ name, version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as JsonObject) as never);
  let changed = Promise.withResolvers<void>();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
  const progress = createProgress();
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => progress.onNotification(params));
  await client.connect(transport);
  return {
    era: 'legacy',
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call(name, args = {}, options = {}) {
      const { meta, signal } = options;
      const _meta = { ...meta, ...progress.token(options) };
      return client.callTool({ name, arguments: args, _meta }, undefined, { ...(signal && { signal }) });
    },
    toolsChanged: () => changed.promise.finally(() => (changed = Promise.withResolvers())),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export async function connectModern(
  mode: 'legacy' | 'auto',
  transport: ModernHttp | ModernStdio | ModernPipes,
  { answer, name = 'new' }: ConnectOptions = {},
): Promise<ForeignClient> {
  let changed = Promise.withResolvers<void>();
  const client = new ModernClient(
    { name, version: '1' },
    {
      versionNegotiation: { mode },
      capabilities: answer ? { elicitation: {} } : {},
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() } },
    },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params as JsonObject) as never);
  const progress = createProgress();
  client.setNotificationHandler('notifications/progress', ({ params }) => progress.onNotification(params));
  await client.connect(transport);
  return {
    era: client.getNegotiatedProtocolVersion() === '2026-07-28' ? 'modern' : 'legacy',
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call(name, args = {}, options = {}) {
      const { meta, signal } = options;
      const _meta = { ...meta, ...progress.token(options) };
      return client.callTool({ name, arguments: args, _meta }, { ...(signal && { signal }) });
    },
    toolsChanged: () => changed.promise.finally(() => (changed = Promise.withResolvers())),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
