import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveHttp } from '../../../../plugins/builtin-mcp-server/http/http.ts';
import { connectOld } from '../../../kit/mcp/mcp-clients.ts';
import { callBody, openSession, post } from '../../../kit/mcp/mcp-wire.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';

const token = 'the-same-token';
let data: string;
let running: { readonly child: ChildProcess; readonly port: number } | undefined;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'pegboard-restart-'));
});
afterEach(async () => {
  await stop();
  await rm(data, { recursive: true });
});

/** A server process on this port; resolves with the port when it answers. */
async function start(port = 0): Promise<number> {
  const script = join(import.meta.dirname, '../../../fixtures/mcp-server/http.ts');
  const child = spawn(process.execPath, [script, String(port), token, data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  running = { child, port: Number(String(line)) };
  return running.port;
}

async function stop(): Promise<void> {
  if (!running) return;
  const ended = once(running.child, 'exit');
  running.child.kill('SIGKILL');
  await ended;
  running = undefined;
}

test('an old client does not notice that the server was killed and started again', async () => {
  const port = await start();
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost:${port}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    // Until the server is there again, however long that takes; the SDK gives up after two attempts.
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 100,
      reconnectionDelayGrowFactor: 1,
      maxRetries: Number.POSITIVE_INFINITY,
    },
  });
  const answered: string[] = [];
  await using client = await connectOld(transport, {
    answer({ message }) {
      answered.push(String(message));
      return { action: 'accept', content: { answer: 'once' } };
    },
  });
  await client.call('grow');
  await client.toolsChanged();

  await stop();
  await start(port);

  const changed = client.toolsChanged();
  expect(await client.call('echo', { message: 'again' })).toMatchObject({
    content: [{ text: 'again for mcp:old' }],
  });
  // The new process has another list than the client.
  await changed;
  const changedAgain = client.toolsChanged();
  await client.call('grow');
  await changedAgain;
  expect((await client.listTools()).map(({ name }) => name)).toContain('extra_1');
  // The client's capabilities are restored too.
  expect(await client.call('deploy', { to: 'b' })).toMatchObject({ content: [{ text: 'deployed to b, 1' }] });
  expect(answered).toHaveLength(1);
});

test('sessions of another home, or of a host without one, stay unknown', async () => {
  const other = await serveHttp(await servedHost([]), { port: 0, token });
  const session = await openSession(other);
  await other.close();
  const port = await start();
  expect(await post({ port, token }, callBody('echo', {}, 'legacy'), session)).toMatchObject({ status: 404 });
});

test('the key is readable for the owner alone, and a damaged one is reported', async () => {
  const server = await serveHttp(await servedHost([]), { port: 0, stateFolder: data });
  await server.close();
  const key = join(data, 'mcp-server.key');
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  expect((await readdir(data)).sort()).toEqual(['mcp-server.key', 'serve-token']);
  await writeFile(key, 'short');
  await expect(serveHttp(await servedHost([]), { port: 0, stateFolder: data })).rejects.toThrow(/is damaged/);
});
