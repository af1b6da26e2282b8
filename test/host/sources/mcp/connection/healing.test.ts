import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../../../../../host/tools/result.ts';
import { caller, createMcpLab, fixture, npmServer, until } from '../../../../kit/mcp/mcp-source.ts';
import { createMovedClock } from '../../../../kit/moved-clock.ts';
import type { McpSource } from '../../../../../host/sources/mcp/mcp-source.ts';

const echo = async (source: McpSource, text: string): Promise<string> =>
  textOf(await source.callTool('echo', { text }, caller()));

/** Kills the server and resolves when its end has been noticed. */
async function kill(source: McpSource): Promise<void> {
  const { restarts } = source.status();
  process.kill(source.status().pid!, 'SIGKILL');
  await until(source, () => source.status().restarts > restarts);
}

test('after SIGKILL a server is started again by itself, and the first call is answered as soon as it is up', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('echoes', fixture('echoes'));
  await source.connect();
  await kill(source);
  expect(source.status().state, 'nothing is waited for before it is started').toMatch(/connecting|ready/);
  expect(await echo(source, 'back')).toBe('back');
  expect(source.status()).toMatchObject({ state: 'ready', restarts: 1 });
});

test('its tools stay listed while it is away', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('echoes', fixture('echoes'));
  await source.connect();
  await kill(source);
  expect((await source.list()).tools.map(({ name }) => name)).toEqual(['echo']);
});

test('a call whose server died under it is not made again, unless the tool only reads', async () => {
  await using lab = await createMcpLab();
  const open = (tool: string) => ({
    file: join(lab.data, tool),
    source: lab.open(tool, fixture('exits-in-call', join(lab.data, tool))),
  });

  const charge = open('charge');
  const failure = await charge.source.callTool('charge', {}, caller()).catch((cause: unknown) => cause);
  expect(failure).toMatchObject({
    code: 'PEG_SERVER_UNAVAILABLE',
    message: expect.stringContaining('It may have taken effect, so it was not called again.') as string,
  });
  expect(await readFile(charge.file, 'utf8')).toBe('charge\n');
  expect(await echo(charge.source, 'alive again')).toBe('alive again');

  const look = open('look');
  expect(textOf(await look.source.callTool('look', {}, caller()))).toBe('done');
  expect(await readFile(look.file, 'utf8')).toBe('look\nlook\n');
});

test('a server that keeps failing is left alone for a while, and says so at once', async () => {
  await using lab = await createMcpLab(createMovedClock({ skipMs: 1_000 }));
  const starts = join(lab.data, 'starts');
  const source = lab.open('broken', fixture('exits-at-once', starts));
  const fail = () => source.callTool('echo', {}, caller()).catch((cause: Error) => cause.message);
  for (let i = 0; i < 5; i++) await fail();
  const before = await readFile(starts, 'utf8');
  expect(await fail()).toMatch(/it failed too often and is not retried for \d+ s\. .*exited with code 3/);
  expect(await readFile(starts, 'utf8')).toBe(before);
  // A person who asks for a connection gets one attempt, however often it failed before.
  await expect(source.connect()).rejects.toThrow('exited with code 3');
  expect(lab.processes()).toEqual([]);
});

test('calls that come while a server starts wait for it together, and start it once', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('echoes', fixture('echoes'));
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => echo(source, text)));
  expect(answers).toEqual(['a', 'b', 'c']);
  expect(lab.processes()).toHaveLength(1);
});

test('a call that is cancelled while its server starts ends at once', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('silent', fixture('never-answers'));
  const controller = new AbortController();
  const call = source.callTool('echo', {}, caller({ signal: controller.signal }));
  controller.abort(new Error('never mind'));
  await expect(call).rejects.toThrow('never mind');
});

test('closing while it connects leaves nothing behind', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('silent', fixture('never-answers'));
  const connecting = source.connect().catch((cause: Error) => cause.message);
  await source[Symbol.asyncDispose]!();
  expect(await connecting).toContain('it is being closed');
  expect(source.status().state).toBe('stopped');
  expect(lab.processes()).toEqual([]);
});

test('a call under way when the source is closed fails and does not hang', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('waits', fixture('progresses'));
  const waiting = caller();
  const call = source.callTool(
    'wait',
    {},
    { ...waiting, progress: () => void source[Symbol.asyncDispose]!() },
  );
  await expect(call).rejects.toMatchObject({ code: 'PEG_SERVER_UNAVAILABLE' });
});

test('a changed list is used, and watchers are notified once', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('everything', npmServer('everything', 'stdio'));
  let told = 0;
  source.watch!(() => told++);
  await source.connect();
  // It registers more tools, depending on the client, after the handshake.
  await until(source, async () => (await source.list()).tools.length > 13);
  expect(told).toBeLessThanOrEqual(3);
});

test('an idle source neither starts a process nor keeps the host alive', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('echoes', fixture('echoes'));
  expect((await source.list()).tools).toEqual([]);
  expect(lab.processes()).toEqual([]);
  expect(source.status()).toMatchObject({ state: 'idle', tools: 0, restarts: 0 });
});
