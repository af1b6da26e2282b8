/** An MCP server with one tool. Each call appends a line to the file that its argument names. */
import { appendFileSync } from 'node:fs';
import { serve, text } from '../../../fixtures/mcp/serve.ts';

const [file] = process.argv.slice(2) as [string];
serve({
  tools: [
    {
      name: 'count',
      description: 'Counts a text',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  ],
  call({ arguments: { text: counted } }) {
    appendFileSync(file, `${String(counted)}\n`);
    return text('It is counted.');
  },
});
