import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { serveStdio } from '../../../plugins/builtin-mcp-server/stdio/stdio.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';
import { anyJson, mutated } from '../../kit/data/hostile-json.ts';
import { clientMessages, initialize } from '../../kit/data/hostile-messages.ts';
import { servedHost } from '../../kit/mcp/served-host.ts';
import { echoTool } from '../../kit/source.ts';

/** A line, or what a client may send instead. */
function line(random: Random): Buffer {
  const message = random.pick(clientMessages);
  const kind = random.below(12);
  if (kind === 0) return Buffer.from(random.list(0, 300, () => random.below(256)));
  if (kind === 1) return Buffer.from(JSON.stringify(message).slice(0, random.below(120)));
  if (kind === 2)
    return Buffer.from(JSON.stringify(random.list(0, 4, () => mutated(random.pick(clientMessages), random))));
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
        type Message = { readonly id?: unknown; readonly jsonrpc?: unknown };
        // A batch is answered as one.
        for (const message of [JSON.parse(value) as Message | readonly Message[]].flat()) {
          expect(message.jsonrpc, `${told}: ${value.slice(0, 500)}`).toBe('2.0');
          if (message.id === id) return message;
        }
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

/** Sends it in arbitrary pieces. */
function send(input: PassThrough, lines: readonly Buffer[], random: Random): void {
  const bytes = Buffer.concat(lines.flatMap((one) => [one, Buffer.from(random.chance(0.1) ? '\r\n' : '\n')]));
  for (let at = 0; at < bytes.length;) {
    const length = random.pick([1, 7, 1_000, 65_536]);
    input.write(bytes.subarray(at, at + length));
    at += length;
  }
}
