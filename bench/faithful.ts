/**
 * `npm run bench:faithful`: ten real MCP servers from npm, asked directly and through `pegboard serve`, compared field
 * by field. Seven of them are downloaded by npx, which needs the network. Prints every difference; the exit code is 1
 * when one of them is not explained in kit/compare.ts. Names of packages as arguments add servers.
 */
import { processSurroundings } from '../host/core/platform/surroundings.ts';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { rememberHome } from '../host/store/owner/known-homes.ts';
import { compareAll } from './kit/compare.ts';

type Json = { readonly [key: string]: unknown };

interface Subject {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Calls with arguments. In addition, every read-only tool without required arguments is called. */
  readonly calls: readonly (readonly [tool: string, args: Json])[];
}

const root = join(import.meta.dirname, '..');
const cliEntry = join(root, 'bin/pegboard.cjs');
const ours = (name: string): string =>
  join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

/** Third-party servers that start without an account, with calls that change nothing; most return an error. */
const packages: { readonly [spec: string]: Subject['calls'] } = {
  '@modelcontextprotocol/server-sequential-thinking@2026.8.31': [
    ['sequentialthinking', { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
  ],
  '@notionhq/notion-mcp-server@2.5.2': [
    ['API-get-self', {}],
    ['API-retrieve-a-page', { page_id: 'none' }],
  ],
  '@upstash/context7-mcp@4.1.1': [],
  '@eslint/mcp@0.3.13': [['lint-files', { filePaths: ['/nowhere/at/all.js'] }]],
  '@playwright/mcp@0.0.83': [],
  'chrome-devtools-mcp@1.11.0': [],
  'mongodb-mcp-server@3.0.4': [
    ['list-databases', { connectionId: 'none' }],
    ['find', { connectionId: 'none', database: 'none', collection: 'none' }],
  ],
};

/** "notion", "playwright": short, because a name that would be too long for a model gets a hash. */
const nameOf = (spec: string): string =>
  spec
    .replace(/(?<=.)@[^@/]*$/, '')
    .split(/[@/-]/)
    .filter((word) => !['', 'mcp', 'server', 'modelcontextprotocol'].includes(word))
    .join('-')
    .slice(0, 20);

const subjects = (folder: string): readonly Subject[] => [
  {
    name: 'everything',
    command: process.execPath,
    args: [ours('everything')],
    calls: [
      ['echo', { message: 'ä 😀' }],
      ['get-sum', { a: 1.5, b: 2 }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['echo', {}],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
    ],
  },
  {
    name: 'filesystem',
    command: process.execPath,
    args: [ours('filesystem'), folder],
    calls: [
      ['list_directory', { path: folder }],
      ['read_text_file', { path: join(folder, 'a.txt') }],
      ['read_text_file', { path: join(folder, 'none.txt') }],
      ['read_text_file', { path: '/etc/passwd' }],
    ],
  },
  {
    name: 'memory',
    command: process.execPath,
    args: [ours('memory')],
    calls: [
      ['read_graph', {}],
      ['search_nodes', { query: 'x' }],
      ['open_nodes', { names: ['x'] }],
    ],
  },
  ...[...Object.keys(packages), ...process.argv.slice(2)].map((spec): Subject => ({
    name: nameOf(spec),
    command: 'npx',
    args: ['-y', spec],
    calls: packages[spec] ?? [],
  })),
];

async function connect(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Client> {
  const client = new Client({ name: 'faithful', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const variables = Object.fromEntries(
    Object.entries(env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  );
  await client.connect(
    new StdioClientTransport({ command, args: [...args], env: variables, stderr: 'ignore' }),
  );
  return client;
}

/** A result, or a protocol error, as a client sees it. */
async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (cause) {
    const { code, message, data } = cause as { code?: unknown; message: string; data?: unknown };
    return { error: { code, message, data } };
  }
}

async function compareServer(subject: Subject, folder: string): Promise<number> {
  const { name, command, args, calls } = subject;
  const home = await mkdtemp(join(tmpdir(), 'pegboard-faithful-'));
  await using _home = {
    // Removed after the servers, which write to it until they end.
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 3 }),
  };
  await writeFile(
    join(home, 'pegboard.yaml'),
    `mcpServers: ${JSON.stringify({ [name]: { command, args } })}\n`,
  );
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(home, 'state'),
    MEMORY_FILE_PATH: join(folder, 'memory.json'),
  };
  process.env['XDG_STATE_HOME'] = env.XDG_STATE_HOME;
  await rememberHome(home, processSurroundings());
  const serve = [cliEntry, '--home', home, 'serve', '--mode', 'direct', '--preset', name];
  // So that the server and its instructions are known when a client first asks.
  execFileSync(process.execPath, [cliEntry, '--home', home, 'mcp', 'list'], { env, stdio: 'ignore' });
  await using direct = await connect(command, args, env).then(closing);
  await using behind = await connect(process.execPath, serve, env).then(closing);
  return await compareAll({ name, calls, direct: direct.client, behind: behind.client, outcome });
}

const closing = (client: Client) => ({ client, [Symbol.asyncDispose]: () => client.close() });

const folder = await mkdtemp(join(tmpdir(), 'pegboard-files-'));
await writeFile(join(folder, 'a.txt'), 'one\ntwo\n');
let unexplained = 0;
for (const subject of subjects(folder)) unexplained += await compareServer(subject, folder);
await rm(folder, { recursive: true, force: true });
console.log(unexplained === 0 ? 'No unexplained differences.' : `${unexplained} unexplained differences.`);
process.exitCode = unexplained === 0 ? 0 : 1;
