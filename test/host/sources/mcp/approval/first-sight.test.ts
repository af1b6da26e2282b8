import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../../host/core/platform/surroundings.ts';
import { silentLogger } from '../../../../../host/core/log.ts';
import { createRedactor } from '../../../../../host/core/secrets/redact.ts';
import { openPinStore } from '../../../../../host/sources/mcp/approval/pin-store.ts';
import type { PinStore } from '../../../../../host/sources/mcp/approval/pins.ts';
import { createMcpSource } from '../../../../../host/sources/mcp/source.ts';
import { caller, createMcpLab, fixture, type McpLab } from '../../../../kit/mcp/mcp-source.ts';
import type { McpSource } from '../../../../../host/sources/mcp/mcp-source.ts';

const tool = (description: string): object => ({ name: 'add', description, inputSchema: { type: 'object' } });

/** A server that offers one tool, and a way to open it as several processes of one home would. */
async function serverIn(lab: McpLab) {
  const file = join(lab.data, 'tools.json');
  const offer = (description: string) =>
    writeFile(file, JSON.stringify({ tools: [tool(description)], instructions: `How to: ${description}` }));
  await offer('Adds two numbers');
  const open = (pins: PinStore): McpSource =>
    createMcpSource('calc', fixture('changes-tools', file), {
      home: lab.data,
      surroundings: processSurroundings(),
      data: lab.data,
      pins,
      resolve: () => undefined,
      redactor: createRedactor(),
      log: silentLogger,
      version: '0.0.0',
    });
  return { offer, open, stored: openPinStore(join(lab.data, 'pins')) };
}

test('nothing of a server is listed, called or shown before its pins are stored', async () => {
  await using lab = await createMcpLab();
  const { open, stored } = await serverIn(lab);
  const asked = Promise.withResolvers<void>();
  const mayWrite = Promise.withResolvers<void>();
  const slow: PinStore = {
    get: (server) => stored.get(server),
    async update(server, change) {
      asked.resolve();
      await mayWrite.promise;
      return await stored.update(server, change);
    },
  };
  await using source = open(slow) as McpSource & AsyncDisposable;
  const order: string[] = [];
  const note = (what: string) => () =>
    void order.push(`${what}, ${stored.get('calc') ? 'pinned' : 'not pinned'}`);
  const all = Promise.all([
    source.connect().then(note('connected')),
    source.callTool('add', {}, caller()).then(note('called')),
  ]);
  await asked.promise;
  expect(source.status()).toMatchObject({ tools: 0, pending: [] });
  expect(source.instructions).toBeUndefined();
  const listed = Promise.resolve(source.list()).then(note('listed'));
  mayWrite.resolve();
  await Promise.all([all, listed]);
  expect(order.toSorted()).toEqual(['called, pinned', 'connected, pinned', 'listed, pinned']);
  expect(source.status().tools).toBe(1);
  expect(source.instructions).toBe('How to: Adds two numbers');
});

test('of two processes that meet a server at the same time, what the first did not see is pending in the later one', async () => {
  await using lab = await createMcpLab();
  const { offer, open, stored } = await serverIn(lab);
  const first = open(stored);
  // The second has listed the tools before the first has stored anything.
  const late: PinStore = {
    get: (server) => stored.get(server),
    async update(server, change) {
      await offer('Adds two numbers');
      await first.connect();
      return await stored.update(server, change);
    },
  };
  await offer('Adds two numbers, and more');
  await using second = open(late) as McpSource & AsyncDisposable;
  await second.connect();
  expect(first.status()).toMatchObject({ tools: 1, pending: [] });
  expect(second.status()).toMatchObject({ tools: 0, pending: ['add', '(instructions)'] });
  await expect(second.callTool('add', {}, caller())).rejects.toMatchObject({ code: 'PEG_TOOL_UNAVAILABLE' });
  await first[Symbol.asyncDispose]!();
});
