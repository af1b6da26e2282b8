import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMcpLab, fixture } from '../../../kit/mcp/mcp-source.ts';
import { testToolSource, type SourceUnderTest } from '../../../kit/mcp/tool-source-suite.ts';

const echo = {
  name: 'echo',
  description: 'Answers with its text',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const late = { ...echo, name: 'late' };

async function open(): Promise<SourceUnderTest> {
  const lab = await createMcpLab();
  const file = join(lab.data, 'tools.json');
  await writeFile(file, JSON.stringify({ tools: [echo] }));
  const source = lab.open('changing', fixture('changes-tools', file));
  await source.connect();
  return {
    source,
    echo: { name: 'echo', parameter: 'text' },
    async change() {
      await writeFile(file, JSON.stringify({ tools: [echo, late] }));
      process.kill(source.status().pid!, 'SIGHUP');
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

testToolSource('an MCP server', open, { changes: true });
