import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { serveStdio } from '../../host/faces/mcp-server/stdio.ts';
import { createRandom, effort, type Random } from '../kit/fuzz.ts';
import { anyJson, mutated } from '../kit/hostile-json.ts';
import { servedHost } from '../kit/served-host.ts';
import { echoTool } from '../kit/source.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const messages = [
  initialize,
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'x' } },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'test.echo', arguments: { text: 'hi' } } },
  { jsonrpc: '2.0', id: 4, method: 'resources/read', params: { uri: 'file:///x' } },
  { jsonrpc: '2.0', id: 5, method: 'server/discover', params: { _meta: {} } },
  {
    jsonrpc: '2.0',
    id: 6,
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'x' } },
  },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 3, progress: 1 } },
  { jsonrpc: '2.0', id: 3, result: {} },
  { jsonrpc: '2.0', id: 3, error: { code: -1, message: 'x' } },
];

/** A line, or what some client may send in its place. */
function line(random: Random): Buffer {
  const message = random.pick(messages);
  const kind = random.below(12);
  if (kind === 0) return Buffer.from(random.list(0, 300, () => random.below(256)));
  if (kind === 1) return Buffer.from(JSON.stringify(message).slice(0, random.below(120)));
  if (kind === 2)
    return Buffer.from(JSON.stringify(random.list(0, 4, () => mutated(random.pick(messages), random))));
  if (kind === 3) return Buffer.from('{"a":'.repeat(random.pick([10, 100_000])));
  if (kind === 4) return Buffer.from(`{"jsonrpc":"2.0","id":9,"method":"${'x'.repeat(1_000_000)}"}`);
  if (kind === 5) return Buffer.from(JSON.stringify(anyJson(random)) ?? '');
  return Buffer.from(JSON.stringify(mutated(message, random)) ?? '');
}

test('whatever a client sends on stdin, what it gets are messages, and the next proper one is answered', async () => {
  const random = createRandom(20_261_123);
  for (let round = 0; round < 60 * effort; round++) {
    const told = `FUZZ_SEED=${random.seed}, round ${round}`;
    const input = new PassThrough();
    const output = new PassThrough();
    const server = await serveStdio(await servedHost([echoTool()]), { input, output });
    const lines = createInterface({ input: output })[Symbol.asyncIterator]();
    const answerTo = async (id: string): Promise<unknown> => {
      for (;;) {
        const { value, done } = (await lines.next()) as { value: string; done?: boolean };
        if (done) throw new Error(`${told}: the server has gone`);
        const message = JSON.parse(value) as { readonly id?: unknown; readonly jsonrpc?: unknown };
        expect(message.jsonrpc, `${told}: ${value.slice(0, 500)}`).toBe('2.0');
        if (message.id === id) return message;
      }
    };
    const before = random.chance(0.3) ? random.list(1, 5, () => line(random)) : [];
    const after = random.list(1, 30, () => line(random));
    const proper = (message: object): Buffer => Buffer.from(JSON.stringify(message));
    send(input, [...before, proper(initialize)], random);
    await answerTo('first');
    send(input, [...after, proper({ jsonrpc: '2.0', id: 'last', method: 'ping' })], random);
    await answerTo('last');
    await server.close();
  }
});

/** In pieces that end anywhere. */
function send(input: PassThrough, lines: readonly Buffer[], random: Random): void {
  const bytes = Buffer.concat(lines.flatMap((one) => [one, Buffer.from(random.chance(0.1) ? '\r\n' : '\n')]));
  for (let at = 0; at < bytes.length;) {
    const length = random.pick([1, 7, 1_000, 65_536]);
    input.write(bytes.subarray(at, at + length));
    at += length;
  }
}
