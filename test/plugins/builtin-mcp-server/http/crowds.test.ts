import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { callBody, modernHeaders, openSession, post } from '../../../kit/mcp/mcp-wire.ts';
import { openSocket, openSockets, type OpenSocket } from '../../../kit/servers/sockets.ts';

let home: TestHome;
let running: RunningCli;
const server = { port: 0, token: 'the-token' };
let opened: OpenSocket[] = [];

beforeAll(async () => {
  home = await createHome({
    'pegboard.yaml': 'serve: { token: the-token }',
    'spaces/s/agent/tools/hello.md': manifest('hello', 'command: echo hello'),
  });
  running = startPegboard(['serve', '--http', '0'], { home: home.path, apart: true });
  const shown = await running.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
  server.port = Number(/127\.0\.0\.1:(\d+)/.exec(shown)![1]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});
const keep = (sockets: readonly OpenSocket[]): readonly OpenSocket[] => {
  opened.push(...sockets);
  return sockets;
};
const leave = (): void => {
  for (const one of opened) one[Symbol.dispose]();
  opened = [];
};

/** Milliseconds of a call of a new, well-behaved client. */
async function serveOne(): Promise<number> {
  const began = performance.now();
  const { status, text } = await post(server, callBody('hello', {}, 'modern'), modernHeaders('hello'));
  expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('hello') as string });
  return performance.now() - began;
}
async function fastestOf(calls: number): Promise<number> {
  let fastest = Infinity;
  for (let i = 0; i < calls; i++) fastest = Math.min(fastest, await serveOne());
  return fastest;
}
const head = (more = ''): string =>
  `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${more}`;
const authorization = 'Authorization: Bearer the-token\r\n';
const memory = (): number => {
  const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
};
const descriptors = (): number => readdirSync(`/proc/${running.child.pid}/fd`).length;

describe('a proper client is served within its time', () => {
  test('while 5,000 connections say nothing, of which the server keeps 512, and 400 others speak byte by byte', async () => {
    // Whoever has to wait for the others waits 5 s for each.
    const bound = 100 * (await fastestOf(5));
    const silent = keep(await openSockets(server.port, 5_000));
    expect(await fastestOf(5)).toBeLessThan(bound);
    expect(descriptors()).toBeLessThan(700);
    await Promise.all(silent.slice(0, 4_000).map(({ closed }) => closed));

    const slowHeads = keep(await openSockets(server.port, 200, head()));
    keep(await openSockets(server.port, 200, `${head(authorization)}Content-Length: 1000\r\n\r\n{`));
    const dripping = setInterval(() => {
      for (const { socket } of opened.slice(silent.length)) if (!socket.destroyed) socket.write('x');
    }, 100);
    try {
      expect(await fastestOf(5)).toBeLessThan(bound);
      // A client that hasn't sent a whole request within 5 s is disconnected, silent or not.
      await Promise.all([...silent, ...slowHeads].map(({ closed }) => closed));
      for (const { received } of slowHeads) expect(received).toMatch(/^(HTTP\/1\.1 408|$)/);
    } finally {
      clearInterval(dripping);
      leave();
    }
    await serveOne();
  });

  test('while others try tokens', async () => {
    let wrong = 0;
    const enough = new AbortController();
    const guess = async (): Promise<void> => {
      while (!enough.signal.aborted) {
        const token = Math.random().toString(36).slice(2, 11).padEnd(9, 'x');
        expect(await post({ ...server, token }, '{}')).toMatchObject({ status: 401 });
        wrong++;
      }
    };
    const guesses = 20;
    const guessing = Array.from({ length: guesses }, guess);
    await serveOne();
    const before = wrong;
    const calls = 10;
    await fastestOf(calls);
    // Each waits for its turn, not until the others are done.
    expect((wrong - before) / calls).toBeLessThan(10 * guesses);
    enough.abort();
    await Promise.all(guessing);
    expect(wrong).toBeGreaterThan(50);
  });
});

test('abandoned sessions take no more memory than the last hundred, and any of them can continue', async () => {
  const first = await openSession(server);
  for (let i = 0; i < 300; i++) await openSession(server);
  const before = memory();
  for (let i = 0; i < 2_000; i += 20)
    await Promise.all(Array.from({ length: 20 }, () => openSession(server)));
  expect(memory() - before).toBeLessThan(64);
  const { status, text } = await post(server, callBody('hello', {}, 'legacy'), first);
  expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('hello') as string });
});

test('of streams without end there are 1,000; one too many is refused with what to do, and when some leave others come in', async () => {
  const session = await openSession(server);
  const listen = `GET /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\n${authorization}Accept: text/event-stream\r\n${Object.entries(
    session,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  keep(await openSockets(server.port, 1_000, listen));
  await Promise.all(opened.map((one) => one.until(/200 OK/)));
  const refused = await post(server, callBody('hello', {}, 'modern'), modernHeaders('hello'));
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.text).toContain('at most 1000 requests and streams at a time');
  leave();
  await expect
    .poll(async () => (await post(server, callBody('hello', {}, 'modern'), modernHeaders('hello'))).status)
    .toBe(200);
});

describe('a request that is no proper one', () => {
  test.each<readonly [string, string, number]>([
    ['headers of 20 KB', `HEADX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['4,000 headers', `HEAD${'X: y\r\n'.repeat(4_000)}\r\n`, 431],
    ['a body that says to have 17 MB', `HEADContent-Length: 17000000\r\n\r\n`, 413],
    ['a length that is none', `HEADContent-Length: -1\r\n\r\n`, 400],
    ['two lengths', `HEADContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a length and chunks', `HEADContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a chunk whose size is none', `HEADTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['no HTTP', `hello\r\n\r\n`, 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a header that is folded into two', `HEADX: a\r\n b\r\n\r\n`, 400],
  ])('%s: refused', async (_what, text, status) => {
    using one: OpenSocket = await openSocket(server.port, text.replace('HEAD', head(authorization)));
    expect(await one.until(/^HTTP\/1\.1 \d+/)).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    await serveOne();
  });

  test.each([
    '//mcp',
    '/mcp/../mcp',
    '/./mcp',
    '/mcp/..%2f..%2fetc%2fpasswd',
    '/%6dcp',
    '/mcp%00',
    '/mcp/',
    '/mcp//hello',
    '/mcp;x=1',
    '/mcp\\..\\x',
    '\\mcp',
    '/MCP',
    'mcp',
    'http://localhost/mcp',
    'http://evil.example/mcp',
    '*',
  ])('the target %s leads nowhere', async (target) => {
    const text = head(`${authorization}Content-Length: 2\r\nConnection: close\r\n\r\n{}`).replace(
      '/mcp',
      target,
    );
    using one: OpenSocket = await openSocket(server.port, text);
    expect(await one.until(/^HTTP\/1\.1 \d+/)).toMatch(/^HTTP\/1\.1 (400|404) /);
  });

  test.each([
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    ['TRACE', 'TRACE /mcp HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade', 'GET /mcp HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s is no way in', async (_what, text) => {
    using one: OpenSocket = await openSocket(server.port, text);
    await Promise.race([one.closed, one.until(/^HTTP\/1\.1 4\d\d/)]);
    expect(one.received).toMatch(/^($|HTTP\/1\.1 4\d\d)/);
  });
});

test('requests that are sent without waiting are answered in their order, and no refused one lets the next in', async () => {
  const call = (token: string, text: string): string => {
    const headers = Object.entries(modernHeaders('hello'))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    return `${head(`Authorization: Bearer ${token}\r\n${headers}`)}Content-Length: ${text.length}\r\n\r\n${text}`;
  };
  const good = call('the-token', callBody('hello', {}, 'modern'));
  const bad = call('xxx-token', callBody('hello', {}, 'modern'));
  using one: OpenSocket = await openSocket(
    server.port,
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? good : bad)).join(''),
  );
  const received = await one.until(/(?:HTTP\/1\.1 (?:(?!HTTP\/1\.1 )[^])*){20}/);
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? '200' : '401')));
});

describe('no port is opened', () => {
  test.each([[['start']], [['serve', '--stdio']], [['serve']]])('by pegboard %s', async (args) => {
    await using quiet = startPegboard(args, { home: home.path, apart: true });
    if (args[0] === 'start') await quiet.waitFor(/running \d+ tools/);
    else {
      quiet.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
      await quiet.waitFor(/"id":1/);
    }
    expect(listeningIn(quiet.child.pid!)).toEqual([]);
    // The same function finds the sockets of a server.
    expect(listeningIn(running.child.pid!)).toHaveLength(1);
  });
});

/** Sockets that the process listens on, TCP of both kinds and UDP. */
function listeningIn(pid: number): readonly string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      // 0A is LISTEN, 07 what UDP has instead.
      .filter(([, , , state, , , , , , inode]) => (state === '0A' || state === '07') && own.has(inode!))
      .map(([, address]) => `${kind} ${address}`),
  );
}
