import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TurnContext } from '../../../../host/api/conversation.ts';
import { markUntrusted } from '../../../../host/core/foreign/untrusted.ts';
import type { PluginServices } from '../../../../host/plugins/context.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { parseJson } from '../../../../host/core/documents/written-numbers.ts';
import { jsonAt, parsePath } from '../../../../plugins/builtin-core/watchers/json-path.ts';
import { openPluginHome, owner } from '../../../kit/homes/plugin-home.ts';
import { openRunner } from './watcher-rig.ts';

const turn = {
  message: { source: 'telegram', externalId: '42', text: 'hi' },
  conversation: { source: 'telegram', externalId: '42', id: 1 },
  untrusted: { origins: [] },
} as unknown as TurnContext;

/** Resolves with the next message that is delivered. */
function mailbox() {
  const waiting: ((text: string) => void)[] = [];
  const early: string[] = [];
  const deliver: PluginServices['deliver'] = async ({ channel, chat }, { text }) => {
    const message = `${channel}/${chat}: ${text}`;
    const reader = waiting.shift();
    if (reader) reader(message);
    else early.push(message);
  };
  const next = (): Promise<string> =>
    early.length > 0 ? Promise.resolve(early.shift()!) : new Promise((resolve) => waiting.push(resolve));
  return { deliver, next };
}

describe('a watcher', () => {
  test('of files tells the chat at once what is new, changed and gone', async () => {
    const { deliver, next } = mailbox();
    await using home = await openPluginHome({
      files: { 'in/old.md': 'old', 'in/x.txt': '' },
      services: { deliver },
    });
    await home.plugins.startServices();
    const started = await home.call('watch_start', { files: 'in/*.md', message: 'Look!' }, { turn });
    expect(textOf(started)).toContain(
      'Watcher 1, active: files in/*.md, every 60 s, on change → message: Look!',
    );
    // Events are followed from the next round on. A first change may come before that, and is then found by the next check.
    const heard = next();
    const poke = setInterval(() => writeFileSync(home.path('in/new.md'), String(performance.now())), 300);
    expect(await heard).toMatch(/^telegram\/42: Look!\n\n\(Watcher 1, files in\/\*\.md: new: in\/new\.md\)$/);
    clearInterval(poke);
    expect((await home.call('watch_history', { id: 1 })).structured).toMatchObject({
      entries: [{ event: 'changed', outcome: expect.stringMatching(/running|done/) }],
    });
  });

  test('is paused, resumed and stopped, and reports its state', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': '' } });
    await home.call('watch_start', { files: '*.txt', interval: 5 });
    const say = async (name: string, args: object = { id: 1 }): Promise<string> =>
      textOf(await home.call(name, args));
    expect(await say('watch_pause')).toBe('Watcher 1 is paused now.');
    expect(await say('watch_pause')).toBe('Watcher 1 is paused.');
    expect(await say('watch_status')).toContain('not before it is resumed');
    expect(await say('watch_resume')).toBe('Watcher 1 is active now.');
    expect(await say('watch_stop')).toBe('Watcher 1 is stopped now.');
    expect(await say('watch_list', {})).toBe('There are no watchers.');
    expect(await say('watch_list', { all: true })).toContain('Watcher 1, stopped');
    expect(await say('watch_history', {})).toBe('Nothing has happened yet.');
  });

  test("is its maker's and the owner's alone", async () => {
    await using home = await openPluginHome();
    await home.call('watch_start', { files: '*.txt' });
    const other = { scope: { identity: 'agent', agent: 'other', access: {} } } as const;
    expect((await home.call('watch_stop', { id: 1 }, other)).error?.message).toContain('no watcher 1');
    expect(textOf(await home.call('watch_list', {}, other))).toBe('There are no watchers.');
    expect(textOf(await home.call('watch_list', {}, owner))).toContain('Watcher 1');
  });

  test('that can not watch is refused at once, with the reason', async () => {
    await using home = await openPluginHome({ settings: { 'builtin-web': { enabled: false } } });
    const refused = async (args: object, request = {}) =>
      (await home.call('watch_start', args, request)).error;
    expect((await refused({}))?.message).toContain('give files, tool or url');
    expect((await refused({ files: '*', tool: 'read' }))?.message).toContain('one thing');
    expect((await refused({ files: '*', interval: 4 }))?.code).toBe('PEG_INVALID_ARGUMENTS');
    expect((await refused({ tool: 'lstdir' }))?.message).toContain('listdir');
    expect((await refused({ tool: 'read', args: { path: 'absent' } }))?.message).toContain('does not exist');
    expect((await refused({ tool: 'bash', args: { command: 'date' } }))?.message).toContain('nobody to ask');
    expect((await refused({ url: 'https://example.org' }))?.message).toContain(
      'No tool here reads web pages',
    );
    expect((await refused({ files: '../*' }))?.message).toContain('leaves');
    const blind = {
      scope: { identity: 'agent', agent: 'test', access: { blocked: ['filesystem.*'] } },
    } as const;
    expect((await refused({ files: '*' }, blind))?.code).toBe('PEG_DENIED');
    const { url: _, ...watched } = { url: '', tool: 'usage_stats' };
    for (const run_tool of ['bash', 'filesystem.write'])
      expect((await refused({ ...watched, run_tool, run_args: {} }, blind))?.message).toContain(
        'is not available to this caller',
      );
    expect((await refused({ ...watched, run_tool: 'bsh' }))?.message).toContain('There is no tool "bsh"');
  });

  test('never gets more rights than its maker had, nor than its agent has now', async () => {
    let now: readonly string[] = [];
    const { deliver } = mailbox();
    await using home = await openPluginHome({
      files: { 'a.txt': '' },
      services: {
        deliver,
        agents: {
          agentFor: () => Promise.reject(new Error('unused')) as never,
          scopeFor: () => ({ identity: 'agent', agent: 'test', access: { blocked: now } }),
          changeIdentity: async () => {},
        },
      },
    });
    await home.call('watch_start', { tool: 'listdir', args: { path: '.' }, interval: 5 });
    now = ['filesystem.listdir'];
    await home.call('watch_pause', { id: 1 });
    await home.call('watch_resume', { id: 1 });
    await home.plugins.startServices();
    let status: { failures?: number } = {};
    while (!status.failures)
      status = (await home.call('watch_status', { id: 1 })).structured as typeof status;
    expect(textOf(await home.call('watch_status', { id: 1 }))).toContain('failed 1 times in a row');
  });
});

const price = { kind: 'tool', tool: 'shop.price', args: { item: 1 }, path: 'items[0].price' };
const minute = 60_000;

describe('the runner of watchers', () => {
  test('acts once for each change of the part that counts, by an agent whose reply goes to the chat', async () => {
    let result = { items: [{ price: 3, at: 0 }] };
    await using rig = await openRunner(async () =>
      markUntrusted({ content: [], structured: result }, { kind: 'mcp', what: 'shop' }),
    );
    await rig.add(price, { kind: 'instruction', text: 'Tell me' });
    await rig.start();
    await rig.start();
    await rig.clock.pass(5 * minute);
    expect(rig.delivered, 'the first look is where it begins').toEqual([]);
    result = { items: [{ price: 3, at: 1 }] };
    await rig.clock.pass(5 * minute);
    expect(rig.delivered, 'another part changed').toEqual([]);
    result = { items: [{ price: 4, at: 2 }] };
    await rig.clock.pass(5 * minute);
    expect(rig.delivered).toEqual(['telegram/7: did: Tell me']);
    expect(rig.heard[0]!.untrusted, 'who wrote what it saw').toEqual([{ kind: 'mcp', what: 'shop' }]);
    const history = await rig.store.history(1, 10);
    expect(history).toMatchObject([{ event: 'changed', summary: 'now:\n4\nbefore:\n3', outcome: 'done' }]);
  });

  test('sees a change that only exact numbers show', async () => {
    let id = '9007199254740992';
    await using rig = await openRunner(async () => ({
      content: [],
      structured: parseJson(`{"items":[{"price":${id}}]}`),
    }));
    await rig.add(price, { kind: 'message', text: 'New!' });
    await rig.add({ ...price, path: undefined }, { kind: 'message', text: 'New, in all of it!' });
    await rig.start();
    await rig.clock.pass(minute);
    id = '9007199254740993';
    await rig.clock.pass(2 * minute);
    expect(rig.delivered).toHaveLength(2);
    expect((await rig.store.history(1, 1))[0]?.summary).toBe(
      'now:\n9007199254740993\nbefore:\n9007199254740992',
    );
  });

  test('of a tool that has structured content now compares with what it saw as text before', async () => {
    let stdout = 'same';
    await using rig = await openRunner(async () => ({
      content: [{ type: 'text', text: stdout }],
      structured: { exitCode: 0, stdout },
    }));
    const hash = createHash('sha256').update(stdout).digest('base64url');
    await rig.add(
      { ...price, path: undefined },
      { kind: 'message', text: 'New!' },
      {
        seen: JSON.stringify({ hash, shown: stdout }),
      },
    );
    await rig.start();
    await rig.clock.pass(3 * minute);
    expect(rig.delivered).toEqual([]);
    stdout = 'different';
    await rig.clock.pass(3 * minute);
    expect(rig.delivered).toEqual([expect.stringContaining('New!')]);
  });

  test('finds a path in JSON that is the text of a tool with structured content', async () => {
    let cost = 3;
    await using rig = await openRunner(async () => {
      const stdout = `{"items":[{"price":${cost}}]}`;
      return { content: [{ type: 'text', text: stdout }], structured: { exitCode: 0, stdout } };
    });
    await rig.add(price, { kind: 'message', text: 'New!' });
    await rig.start();
    await rig.clock.pass(minute);
    cost = 4;
    await rig.clock.pass(2 * minute);
    expect((await rig.store.history(1, 1))[0]?.summary).toBe('now:\n4\nbefore:\n3');
  });

  test('waits longer after each failure, records the first and the recovery, and continues', async () => {
    let looks = 0;
    let works = false;
    await using rig = await openRunner(async () => {
      looks++;
      const error = { code: 'PEG_TOOL_FAILED', stage: 'execute', message: 'away' } as const;
      return works ? { content: [], structured: { items: [] } } : { content: [], error };
    });
    await rig.add(price, { kind: 'message', text: 'x' });
    await rig.start();
    await rig.clock.pass(31 * minute);
    expect(looks, 'after 0, 2, 6, 14 and 30 minutes').toBe(5);
    expect(await rig.store.find(1)).toMatchObject({ failures: 5, last_error: 'away' });
    works = true;
    await rig.clock.pass(60 * minute);
    expect(await rig.store.find(1)).toMatchObject({ failures: 0, last_error: null });
    expect((await rig.store.history(1, 10)).map(({ event }) => event)).toEqual(['recovered', 'failed']);
  });

  test('runs a tool each time when it is to, and keeps its failure', async () => {
    const called: string[] = [];
    await using rig = await openRunner(async ({ name, caller }) => {
      called.push(`${caller} ${name}`);
      if (name === 'shop.price') return { content: [{ type: 'text', text: '{}' }] };
      return { content: [], error: { code: 'PEG_DENIED', stage: 'authorize', message: 'not now' } };
    });
    await rig.add(price, { kind: 'tool', tool: 'shop.buy', args: {} }, { acts_on: 'interval' });
    await rig.start();
    await rig.clock.pass(minute + 1_000);
    expect(called).toEqual(['watcher:1 shop.price', 'watcher:1 shop.price', 'watcher:1 shop.buy']);
    expect(await rig.store.history(1, 5)).toMatchObject([
      { event: 'checked', outcome: 'failed', detail: 'not now' },
    ]);
  });

  test('acts with the rights that its agent has when it acts, not when it began to look', async () => {
    let blocked: readonly string[] = [];
    const calls: (readonly [string, unknown])[] = [];
    await using rig = await openRunner(
      async ({ name, scope }) => {
        calls.push([name, scope.access.blocked]);
        blocked = ['shop.buy'];
        return { content: [{ type: 'text', text: '{}' }] };
      },
      (agent) => ({ identity: 'agent', agent: agent!, access: { blocked } }),
    );
    const rights = JSON.stringify({ identity: 'agent', agent: 'buyer', access: {} });
    const action = { kind: 'tool', tool: 'shop.buy', args: {} };
    await rig.add(price, action, { acts_on: 'interval', rights, seen: '{}' });
    await rig.start();
    await rig.clock.pass(1_000);
    expect(calls).toEqual([
      ['shop.price', []],
      ['shop.buy', ['shop.buy']],
    ]);
  });

  test('sees files by the clock alone too, also when their folder comes and goes', async () => {
    await using rig = await openRunner(async () => ({ content: [] }));
    await rig.add({ kind: 'files', pattern: 'in/**/*.md' }, { kind: 'message', text: 'x' });
    await rig.start();
    await rig.clock.pass(1_000);
    mkdirSync(join(rig.home.path, 'in/deep'), { recursive: true });
    writeFileSync(join(rig.home.path, 'in/deep/a.md'), '1');
    writeFileSync(join(rig.home.path, 'in/b.txt'), '1');
    await rig.clock.pass(2 * minute);
    rmSync(join(rig.home.path, 'in'), { recursive: true });
    await rig.clock.pass(2 * minute);
    expect((await rig.store.history(1, 5)).map(({ summary }) => summary)).toEqual([
      'gone: in/deep/a.md',
      'new: in/deep/a.md',
    ]);
  });

  test('does not do again what a process left behind when it died, and tells', async () => {
    await using rig = await openRunner(async () => ({ content: [{ type: 'text', text: '{}' }] }));
    const watcher = await rig.add(price, { kind: 'message', text: 'x' });
    const at = new Date(rig.clock.now()).toISOString();
    const entry = { at, event: 'changed', summary: 'now: 5', outcome: 'running', detail: null } as const;
    await rig.store.advance(watcher, {}, entry);
    await rig.start();
    await rig.clock.pass(5 * minute);
    expect(rig.delivered).toEqual([
      expect.stringMatching(/^telegram\/7: .*watcher 1 .*now: 5\n.*uncertain/s),
    ]);
    expect(await rig.store.history(1, 5)).toMatchObject([{ outcome: 'uncertain' }]);
  });
});

test.for([
  ['items[0].price', ['items', 0, 'price']],
  ["$.a['b c'][2]", ['a', 'b c', 2]],
  ['a-b', ['a-b']],
] as const)('the path %s is read', ([path, steps]) => {
  expect(parsePath(path)).toEqual(steps);
});

test('a path that can not be read says where; one that leads nowhere gives nothing', () => {
  expect(() => parsePath('a[b]')).toThrow('from character 2');
  expect(jsonAt({ a: [{ b: 1 }] }, 'a[0].b')).toBe('1');
  expect(jsonAt({ a: null }, 'a.b.c')).toBeUndefined();
  expect(jsonAt({}, 'constructor')).toBeUndefined();
});
