import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClone, repository, type Clone } from '../../kit/homes/clone.ts';
import { blocksOf } from './blocks.ts';

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Snippets in documents for readers to paste into their clients. */
const entries = ['README.md', 'docs/mcp.md'].flatMap((document) =>
  blocksOf(readFileSync(join(repository, document), 'utf8'))
    .filter(({ words }) => words.includes('client'))
    .map(({ text, line }) => {
      const { mcpServers, servers } = JSON.parse(text) as Record<string, Record<string, Entry> | undefined>;
      return [`${document}:${line}`, (mcpServers ?? servers)!['pegboard']!] as const;
    }),
);

/** Clients start it and connect to it one after the other. */
let clone: Clone;
beforeAll(async () => {
  clone = await openClone();
});
afterAll(() => clone[Symbol.asyncDispose]());

test.for(entries.filter(([, { command }]) => command !== undefined))(
  'a client that starts Pegboard as %s says gets its tools',
  async ([, { command, args = [] }]) => {
    const transport = new StdioClientTransport({
      command: command!,
      args: args.map((argument) => argument.replace('/path/to/pegboard', clone.folder)),
      env: clone.environment,
      cwd: clone.userHome,
    });
    expect(await listedBy(transport)).toContain('read');
  },
);

test.for(entries.filter(([, { url }]) => url !== undefined))(
  'a client that connects as %s says, with the token that was printed, gets the tools',
  async ([, { url, headers = {} }]) => {
    await using served = await serve(clone);
    const { pathname, hostname } = new URL(url!);
    const authorization = headers['Authorization']!.replace(/(?<=^Bearer ).*/, served.token);
    const transport = new StreamableHTTPClientTransport(
      new URL(`http://${hostname}:${served.port}${pathname}`),
      {
        requestInit: { headers: { Authorization: authorization } },
      },
    );
    expect(await listedBy(transport)).toContain('read');
  },
);

async function listedBy(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<string[]> {
  const client = new Client({ name: 'reader', version: '1.0.0' });
  await client.connect(transport);
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

interface Served extends AsyncDisposable {
  readonly port: string;
  readonly token: string;
}

/** `pegboard serve --http` on a free port, and what it prints. */
async function serve({ folder, environment }: Clone): Promise<Served> {
  const child = spawn('pegboard', ['serve', '--http', '0'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let port: string | undefined;
  let token: string | undefined;
  for await (const line of createInterface({ input: child.stderr })) {
    port ??= /^serving http:\/\/127\.0\.0\.1:(\d+)\/mcp$/.exec(line)?.[1];
    token ??= /^token\s+(\S+)/.exec(line)?.[1];
    if (port !== undefined && token !== undefined) break;
  }
  return {
    port: port!,
    token: token!,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
