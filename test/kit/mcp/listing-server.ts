/** Files of a home for an MCP server over stdio that lists what `tools.json` holds when it is asked. */
export function listingServer(
  tools: readonly object[],
  { stderr = '' }: { readonly stderr?: string } = {},
): { readonly [file: string]: string } {
  return {
    'tools.json': JSON.stringify(tools),
    'server.mjs': `import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
process.stderr.write(${JSON.stringify(stderr)});
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'listing', version: '1.2.3' },
  }),
  'tools/list': () => ({ tools: JSON.parse(readFileSync('tools.json', 'utf8')) }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) + '\\n');
}
`,
  };
}

/** An entry of `mcpServers` that starts it. */
export const listingEntry = { command: process.execPath, args: ['server.mjs'] } as const;

export const listedTool = (name: string, description: string): object => ({
  name,
  description,
  inputSchema: { type: 'object' },
});
