import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { openClone, repository } from '../kit/clone.ts';
import { blocksOf } from './blocks.ts';

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What documents tell readers to paste into their clients. */
const entries = ['README.md', 'docs/mcp.md'].flatMap((document) =>
  blocksOf(readFileSync(join(repository, document), 'utf8'))
    .filter(({ words }) => words.includes('client'))
    .map(({ text, line }) => {
      const { mcpServers, servers } = JSON.parse(text) as Record<string, Record<string, Entry> | undefined>;
      return [`${document}:${line}`, (mcpServers ?? servers)!['pegboard']!] as const;
    }),
);

test.for(entries.filter(([, { command }]) => command !== undefined))(
  'a client that starts Pegboard as %s says gets its tools',
  async ([, { command, args = [] }]) => {
    await using clone = await openClone();
    const transport = new StdioClientTransport({
      command: command!,
      args: args.map((argument) => argument.replace('/path/to/pegboard', clone.folder)),
      env: clone.environment,
      cwd: clone.userHome,
    });
    const client = new Client({ name: 'reader', version: '1.0.0' });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('read');
    } finally {
      await client.close();
    }
  },
);
