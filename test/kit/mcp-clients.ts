import { join } from 'node:path';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../host/api/result.ts';
import { serveHttp } from '../../host/faces/mcp-server/http.ts';
import { suiteHost } from '../fixtures/mcp-server/suite-host.ts';

/** Somebody else's client, connected to the suite's host; what differs between SDKs is evened out. */
export interface ForeignClient extends AsyncDisposable {
  readonly era: 'legacy' | 'modern';
  listTools(): Promise<readonly JsonObject[]>;
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<JsonObject>;
  /** Resolves when the client is next told that the tools changed. */
  toolsChanged(): Promise<void>;
}

export interface CallOptions {
  readonly meta?: JsonObject;
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: JsonObject) => void;
}

export interface ConnectOptions {
  /** Answers questions; without it the client says that it can't. */
  readonly answer?: (params: JsonObject) => JsonObject;
}

type Connect = (options?: ConnectOptions) => Promise<ForeignClient>;

/** Every way in: the SDK's first version, and its second in both eras, over both wires. */
export const connectAs: { readonly [how: string]: Connect } = {
  'SDK v1 over HTTP': (options) => withHttp((url, init) => connectOld(new OldHttp(url, init), options)),
  'SDK v1 over stdio': (options) => connectOld(new OldStdio(suiteProcess), options),
  'SDK v2, legacy, over HTTP': (options) =>
    withHttp((url, init) => connectModern('legacy', new ModernHttp(url, init), options)),
  'SDK v2, modern, over HTTP': (options) =>
    withHttp((url, init) => connectModern('auto', new ModernHttp(url, init), options)),
  'SDK v2, legacy, over stdio': (options) => connectModern('legacy', new ModernStdio(suiteProcess), options),
  'SDK v2, modern, over stdio': (options) => connectModern('auto', new ModernStdio(suiteProcess), options),
};

const suiteProcess = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../fixtures/mcp-server/stdio.ts')],
  stderr: 'ignore' as const,
};

async function withHttp(
  connect: (url: URL, init: { readonly requestInit: RequestInit }) => Promise<ForeignClient>,
): Promise<ForeignClient> {
  const server = await serveHttp(await suiteHost(), { port: 0 });
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

export async function connectOld(
  transport: OldHttp | OldStdio,
  { answer }: ConnectOptions = {},
): Promise<ForeignClient> {
  const client = new OldClient(
    { name: 'old', version: '1' },
    { capabilities: answer ? { elicitation: {} } : {} },
  );
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as JsonObject) as never);
  let changed = Promise.withResolvers<void>();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
  await client.connect(transport);
  return {
    era: 'legacy',
    listTools: async () => (await client.listTools()).tools,
    call: (name, args = {}, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, undefined, options),
    toolsChanged: () => changed.promise.finally(() => (changed = Promise.withResolvers())),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectModern(
  mode: 'legacy' | 'auto',
  transport: ModernHttp | ModernStdio,
  { answer }: ConnectOptions = {},
): Promise<ForeignClient> {
  let changed = Promise.withResolvers<void>();
  const client = new ModernClient(
    { name: 'new', version: '1' },
    {
      versionNegotiation: { mode },
      capabilities: answer ? { elicitation: {} } : {},
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() } },
    },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params as JsonObject) as never);
  await client.connect(transport);
  return {
    era: client.getNegotiatedProtocolVersion() === '2026-07-28' ? 'modern' : 'legacy',
    listTools: async () => (await client.listTools()).tools,
    call: (name, args = {}, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, options),
    toolsChanged: () => changed.promise.finally(() => (changed = Promise.withResolvers())),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
