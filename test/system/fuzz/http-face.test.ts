import { expect, test } from 'vitest';
import { serveHttp } from '../../../plugins/builtin-mcp-server/http/http.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';
import { anyJson, mutated } from '../../kit/data/hostile-json.ts';
import { clientMessages, initialize } from '../../kit/data/hostile-messages.ts';
import { sendRaw, type RawRequest } from '../../kit/servers/raw-http.ts';
import { servedHost } from '../../kit/mcp/served-host.ts';
import { echoTool } from '../../kit/source.ts';

test('whatever is sent over HTTP is answered without a fault, and the next proper request works', async () => {
  const random = createRandom(20_261_121);
  await using server = await open();
  const proper = properHeaders(server.port);
  for (let sent = 0; sent < 1_000 * effort; sent++) {
    const request = hostile(random, proper);
    const { status, headers, text } = await sendRaw(server.port, request);
    const told = `seed ${random.seed}, request ${sent}: ${JSON.stringify(request).slice(0, 2_000)}`;
    expect(status, told).toBeGreaterThanOrEqual(200);
    expect(status, told).toBeLessThan(500);
    if (headers['content-type']?.startsWith('application/json')) JSON.parse(text);
    if (sent % 100 > 0) continue;
    const body = JSON.stringify(initialize);
    expect(await sendRaw(server.port, { headers: proper, body }), told).toMatchObject({ status: 200 });
  }
});

async function open() {
  const server = await serveHttp(await servedHost([echoTool()]), { port: 0, token: 'the-token' });
  return { port: server.port, [Symbol.asyncDispose]: () => server.close() };
}

const properHeaders = (port: number): readonly string[] => [
  'host',
  `localhost:${port}`,
  'authorization',
  'Bearer the-token',
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
];

function hostile(random: Random, proper: readonly string[]): RawRequest {
  const headers = [...proper];
  if (random.chance(0.2)) headers.splice(random.below(headers.length / 2) * 2, 2);
  if (random.chance(0.3)) {
    const names = [
      'mcp-session-id',
      'mcp-protocol-version',
      'mcp-method',
      'origin',
      'last-event-id',
      'accept',
    ];
    headers.push(
      random.pick(names),
      random.pick(['', 'x', 'null', '2026-07-28', '2025-11-25', '\u00FF', 'a'.repeat(4_000)]),
    );
  }
  return {
    method: random.chance(0.8) ? 'POST' : random.pick(['GET', 'DELETE', 'PUT', 'OPTIONS', 'PATCH']),
    path: random.chance(0.9)
      ? '/mcp'
      : random.pick(['/', '/mcp/', '/mcp/..%2f', '/mcp/nobody', '//mcp', '/mcp?x=%00']),
    headers,
    body: bodyOf(random),
    leaveStream: true,
  };
}

function bodyOf(random: Random): string | Buffer {
  const message = random.pick(clientMessages);
  const text = JSON.stringify(random.chance(0.9) ? mutated(message, random) : anyJson(random)) ?? '';
  if (random.chance(0.1)) return text.slice(0, random.below(text.length + 1));
  if (random.chance(0.05)) return Buffer.from(random.list(0, 200, () => random.below(256)));
  return text;
}
