import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { longestStall } from '../../kit/stalls.ts';
import { answersTo } from '../../kit/structures/built-in-calls.ts';

const megabyte = 1024 * 1024;
const maxFile = 50 * megabyte;

/** What a server answers, each with its type. */
const answers: { readonly [path: string]: readonly [type: string, body: string] } = {
  numbers: ['application/json', `[${Array(900_000).fill('1.0').join()}]`],
  objects: ['application/json', `[${Array(110_000).fill('{"id":1.0,"name":"a","list":[1.0]}').join()}]`],
  members: ['application/json', `{${Array.from({ length: 250_000 }, (_, at) => `"k${at}":1.0`).join()}}`],
  deep: ['application/json', `${'['.repeat(megabyte)}${']'.repeat(megabyte)}`],
  long: [
    'application/json',
    `[${Array(2 * megabyte)
      .fill('1.0')
      .join()}]`,
  ],
  lines: ['text/plain', 'ab\n'.repeat(3 * megabyte)],
  file: ['', `${'x'.repeat(9 * megabyte)}\0`],
  nested: ['text/html', '<div>'.repeat(1.5 * megabyte)],
  many: ['text/plain', 'ab\n'.repeat(16 * megabyte)],
};
/** As bytes, which the server of this process only hands on. */
const bodies = new Map(Object.entries(answers).map(([path, [, body]]) => [path, Buffer.from(body)]));
const server = createServer(({ url = '' }, response) => {
  const path = url.slice(1);
  response.writeHead(200, { 'content-type': answers[path]![0] });
  response.end(bodies.get(path));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

let home: AgentHome;
beforeAll(async () => {
  home = await openAgentHome(() => ({ text: 'done' }), {
    files: {
      'spaces/work/agent/agent.yaml':
        'id: work\nrole: coordinator\nruntime: { watchers: true, scheduler: true }\n',
      'pegboard.local.yaml': JSON.stringify({
        plugins: { 'builtin-web': { config: { allowHosts: [host], maxMegabytes: 50 } } },
      }),
      'spaces/work/agent/tools/ask.yaml': JSON.stringify({
        id: 'ask',
        name: 'Ask',
        description: 'Asks a server',
        parameters: [{ name: 'path', type: 'string', required: true, description: 'What' }],
        http: { method: 'GET', url: `http://${host}/{{path}}` },
      }),
      'notes/short.txt': 'ab\n'.repeat(maxFile / 3),
      'notes/one-line.txt': 'abc '.repeat(maxFile / 4),
      'notes/last.txt': `${'ü\n'.repeat(maxFile / 4)}needle\n`,
    },
  });
  const many = join(home.home.path, 'many');
  mkdirSync(many);
  for (let at = 0; at < 10_000; at++) writeFileSync(join(many, `file-${at}.txt`), '');
  using shop = new DatabaseSync(join(home.home.path, 'shop.db'));
  shop.exec(
    `create table orders (id integer, text text);
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers limit 200000)
     insert into orders select n, printf('order %d', n) from numbers;`,
  );
});
afterAll(async () => {
  server.close();
  await home[Symbol.asyncDispose]();
});

let last: string;
const call = async (name: string, args: JsonObject): Promise<void> => {
  const { error, content } = await home.host.dispatch({
    name,
    args,
    scope: { ...hostScope, agent: 'work' },
    caller: 'cli',
    ask: async ({ schema }) => ({ action: 'accept', content: answersTo(schema) }),
  });
  last = error?.message ?? content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
};

/** Calls with what takes longest, and what their answers say. */
const large: readonly (readonly [tool: string, args: JsonObject, says: RegExp])[] = [
  ['read', { path: 'notes/short.txt', limit: 1 }, /lines 1 to 1 of 17476266; go on with offset 1/],
  ['read', { path: 'notes/short.txt' }, /lines 1 to 2000 of/],
  ['read', { path: 'notes/short.txt', limit: 1_000_000_000 }, /go on with offset/],
  ['read', { path: 'notes/last.txt', offset: 13_107_000 }, /needle/],
  ['read', { path: 'notes/one-line.txt' }, /abc/],
  ['grep', { pattern: 'needle', path: 'notes', context: 50 }, /needle/],
  ['grep', { pattern: 'ab', path: 'notes/short.txt' }, /more than 1000 matches/],
  ['edit', { path: 'notes/last.txt', old_string: 'needle', new_string: 'needle ' }, /Edited/],
  ['edit', { path: 'notes/last.txt', old_string: 'nothing', new_string: 'pin' }, /is not in/],
  [
    'edit',
    { path: 'notes/last.txt', old_string: 'ü', new_string: 'üu', replace_all: true },
    /The new content has/,
  ],
  ['write', { path: 'notes/new.txt', content: 'ab\n'.repeat(2 * megabyte) }, /Created|Replaced/],
  ['write', { path: 'notes/new.txt', content: 'abc '.repeat(2 * megabyte) }, /Replaced/],
  ['glob', { pattern: '**/*9*.txt' }, /file-9/],
  ['listdir', { path: 'many' }, /file-/],
  ['bash', { command: 'yes | head -c 50000000' }, /y/],
  ['run_script', { code: "return 'x'.repeat(5_000_000)" }, /./],
  ...Object.keys(answers).map(
    (path) => ['http_get', { url: `http://${host}/${path}` }, /^HTTP 200/] as const,
  ),
  ...Object.keys(answers)
    .filter((path) => path !== 'many')
    .map((path) => ['work.ask', { path }, /^(?:[[{<]|ab|.a file of)/] as const),
  ['web_read', { url: `http://${host}/numbers` }, /go on with read_artifact/],
  ['web_read', { url: `http://${host}/many` }, /go on with read_artifact/],
  ['web_read', { url: `http://${host}/nested` }, /can't be turned into text|go on/],
  ['fetch_results', { connection_id: 'shop', query: 'select * from orders' }, /order/],
];

test('the largest input of a tool keeps nobody waiting', async () => {
  await call('connect', { connection_id: 'shop', database: 'shop.db' });
  for (const [tool, args, says] of large) {
    const what = `${tool} ${JSON.stringify(args).slice(0, 100)}`;
    const stall = await longestStall(() => call(tool, args));
    expect.soft(stall, what).toBeLessThan(1);
    expect.soft(last, what).toMatch(says);
  }
}, 600_000);
