import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { documentedFailures, requirementsOf, runConformance } from '../../kit/mcp/conformance.ts';
import { runClient, type Context } from './suite-client.ts';

/** Serves `client-command.ts`; returns the command line for the suite. */
async function openClients(): Promise<string> {
  const server = createServer((socket) => {
    const given = new AbortController();
    socket.on('error', () => {}).on('close', () => given.abort());
    const say = (line: string): void => void socket.write(`${line}\n`);
    void once(createInterface(socket), 'line')
      .then(([line]) => {
        const { url, context } = JSON.parse(line as string) as { url: string; context: Context };
        return runClient(url, context, { say, signal: given.signal });
      })
      .catch((cause: unknown) => say(inspect(cause)))
      .finally(() => socket.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `"${process.execPath}" "${join(import.meta.dirname, 'client-command.ts')}" ${port}`;
}

describe.each(['2025-11-25', '2026-07-28'])('the client side of MCP %s', (revision) => {
  test('passes every scenario but those that the docs list', async () => {
    const out = await mkdtemp(join(tmpdir(), 'conformance-'));
    onTestFinished(() => rm(out, { recursive: true }));

    const command = await openClients();
    // The suite starts all of its clients at once: on a small machine each of them is slow.
    const options = ['--requirements', revision, '--timeout', '150000'];
    const results = await runConformance(['client', '--command', command, ...options], out);

    const { required, notScored } = await requirementsOf(revision, 'client');
    const imperfect = [...required, ...notScored].filter((name) => results.get(name)?.length !== 0);
    const why = Object.fromEntries(imperfect.map((name) => [name, results.get(name)]));
    expect(imperfect.sort(), JSON.stringify(why, null, 2)).toEqual(
      await documentedFailures(`Client, ${revision}`),
    );
  }, 180_000);
});
