import { setTimeout } from 'node:timers/promises';
import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type Tool,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { token } from './home.ts';

export type Era = 'legacy' | 'modern';

/** How to reach a server: its URL, or the arguments for Node to start it. */
export type ServerAddress = { readonly url: string } | { readonly args: readonly string[] };

/** A client of the SDK, connected. Closing it ends the server that it started. */
export async function connect(
  server: ServerAddress,
  { era = 'legacy', ...options }: ClientOptions & { readonly era?: Era } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
  );
  await client.connect(
    'url' in server
      ? new StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: { Authorization: `Bearer ${token}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [...server.args],
          // The whole environment, not only the few variables that the SDK passes on, because it determines which homes
          // are known.
          env: process.env as Record<string, string>,
          stderr: 'ignore',
        }),
  );
  return client;
}

/** Calls the tool and makes sure that the answer is the right one. */
export async function callEcho(client: Client, name: string, text: string): Promise<void> {
  const { content, isError } = await client.callTool({ name, arguments: { text } });
  const [block] = content;
  if (isError || block?.type !== 'text' || block.text !== text)
    throw new Error(`${name} answered ${JSON.stringify(content)} instead of ${text}`);
}

/** The names that the server lists, as soon as `wanted` accepts the list. */
export async function untilListed(
  client: Client,
  wanted: (tools: readonly Tool[]) => boolean,
): Promise<readonly string[]> {
  const late = performance.now() + 30_000;
  for (;;) {
    const { tools } = await client.listTools(undefined, { cacheMode: 'bypass' });
    const names = tools.map(({ name }) => name);
    if (wanted(tools)) return names;
    if (performance.now() > late) throw new Error(`not in 30 seconds; the list is ${names.join(', ')}`);
    await setTimeout(5);
  }
}

export const isEcho = (name: string): boolean => /(^|_)echo$/.test(name);

/** The name of the server's echo tool. */
export async function echoName(client: Client): Promise<string> {
  const names = await untilListed(client, (tools) => tools.some(({ name }) => isEcho(name)));
  return names.find(isEcho)!;
}

/** The process that the client started. */
export function pidOf(client: Client): number {
  const { transport } = client;
  if (transport instanceof StdioClientTransport && transport.pid !== null) return transport.pid;
  throw new Error('the client has no server process');
}
