import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writtenNumber } from '../../../../../host/core/documents/written-numbers.ts';
import type { McpSource } from '../../../../../host/sources/mcp/mcp-source.ts';
import { listenAsMcp, type McpMessage, type McpServerOptions } from '../../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab, fixture, type McpLab } from '../../../../kit/mcp/mcp-source.ts';
import { longestStall } from '../../../../kit/stalls.ts';

const count = 900_000;
/** 3.6 MB. */
const long = `{"content":[],"structuredContent":{"list":[${Array(count).fill('1.0').join(',')}]}}`;
const tools = JSON.stringify({
  tools: ['long', 'short', 'wide', 'deep', 'many'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
  })),
});
const wide = `{"content":[],${Array.from({ length: 1_001 }, (_, at) => `"k${at}":1`).join(',')}}`;
const deep = `{"content":[],"structuredContent":{"x":${'['.repeat(7_000_000)}${']'.repeat(7_000_000)}}}`;
const many = `{"content":[],"structuredContent":{"x":[${Array(1_000_001).fill('{}').join(',')}]}}`;
const short = `{"content":[],"structuredContent":{"list":[2.0]}}`;

let lab: McpLab;
let answers: string;
beforeAll(async () => {
  lab = await createMcpLab();
  answers = join(lab.data, 'answers.json');
  writeFileSync(
    answers,
    JSON.stringify({
      'tools/list': tools,
      'tools/call': { long, short, wide, deep, many },
    }),
  );
});
afterAll(() => lab[Symbol.asyncDispose]());

const listOf = async (source: McpSource, tool: string): Promise<number[]> => {
  const { structured } = await source.callTool(tool, {}, caller());
  return (structured as { readonly list: number[] }).list;
};

async function expectServed(source: McpSource): Promise<void> {
  await source.connect();
  let list: number[] = [];
  let next: number[] = [];
  const both = async (): Promise<void> => {
    [list, next] = await Promise.all([listOf(source, 'long'), listOf(source, 'short')]);
  };
  expect(await longestStall(both)).toBeLessThan(1);
  expect(list).toHaveLength(count);
  expect(writtenNumber(list, String(count - 1))).toBe('1.0');
  expect(writtenNumber(next, '0')).toBe('2.0');
}

test('a long answer of a program keeps nobody waiting, and what follows it arrives', async () => {
  await expectServed(lab.open('stdio', fixture('verbatim', answers)));
});

test('a result whose data are its own members is refused', async () => {
  const source = lab.open('wide', fixture('verbatim', answers));
  await source.connect();
  await expect(source.callTool('wide', {}, caller())).rejects.toMatchObject({
    code: 'PEG_SERVER_ERROR',
    message: expect.stringContaining('more than 1000 members') as string,
  });
});

test.each(['application/json', 'text/event-stream'])('and so does one over HTTP as %s', async (type) => {
  const answer = ({ id, params }: McpMessage, response: ServerResponse): void => {
    const result = params.name === 'long' ? long : short;
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    response.writeHead(200, { 'content-type': type });
    response.end(type === 'application/json' ? text : `data: ${text}\n\ndata: {"method":"x"}\n\n`);
  };
  await using server = await listenAsMcp(answer, undefined, JSON.parse(tools) as McpServerOptions);
  await expectServed(lab.open(type.split('/')[0]!, { url: server.url }));
});

test('the last words of a program that ends behind a long answer are read', async () => {
  const last = join(lab.data, 'last.mjs');
  writeFileSync(
    last,
    `import { createInterface } from 'node:readline';
     const line = (id, result) => '{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}\\n';
     let waiting;
     createInterface({ input: process.stdin }).on('line', (text) => {
       const { id, method, params } = JSON.parse(text);
       if (method === 'initialize') process.stdout.write(line(id, JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'last', version: '1' } })));
       else if (method === 'tools/list') process.stdout.write(line(id, ${JSON.stringify(tools)}));
       else if (method !== 'tools/call') return id === undefined ? undefined : process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"error":{"code":-32601,"message":"no"}}\\n');
       else if (params.name === 'long') waiting = id;
       else process.stdout.write(line(waiting, ${JSON.stringify(long)}) + line(id, ${JSON.stringify(short)}), () => process.exit());
     });`,
  );
  const source = lab.open('last', { command: process.execPath, args: [last] });
  await source.connect();
  const [list, next] = await Promise.all([listOf(source, 'long'), listOf(source, 'short')]);
  expect([list.length, next]).toEqual([count, [2]]);
});

test.each(['deep', 'many'])(
  'what would take many times its length in memory ends its server alone: %s',
  async (tool) => {
    const source = lab.open('much', fixture('verbatim', answers));
    await source.connect();
    await expect(source.callTool(tool, {}, caller())).rejects.toThrow('has more than 1000000 values');
    expect(await listOf(source, 'short')).toEqual([2]);
  },
);
