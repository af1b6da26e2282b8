import { expect, test } from 'vitest';
import { silentLogger } from '../../../host/core/log.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

const named = (name: string, origin?: string) => echoTool({ name, ...(origin !== undefined && { origin }) });

test('a tool is found by its id and by every form that clients write it in', async () => {
  const registry = createRegistry(silentLogger);
  await registry.add(memorySource([named('create_issue')], { module: 'github', kind: 'mcp' }));
  for (const name of [
    'github.create_issue',
    'github__create_issue',
    'mcp__github__create_issue',
    'create_issue',
  ]) {
    expect(registry.snapshot.find(name)?.id, name).toBe('github.create_issue');
  }
});

test('a bare name means the built-in, then the manifest, then the space manifest, then the MCP tool, whatever came first', async () => {
  const registry = createRegistry(silentLogger);
  const kinds = ['mcp', 'space', 'manifest', 'builtin'] as const;
  for (const kind of kinds) {
    await registry.add(memorySource([named('read', `${kind} file`)], { module: kind, kind, id: kind }));
    expect(registry.snapshot.find('read')?.id).toBe(`${kind}.read`);
  }
  expect(registry.snapshot.find('manifest.read')?.id).toBe('manifest.read');
  const messages = registry.snapshot.diagnostics.map(({ message }) => message);
  expect(messages).toHaveLength(2);
  expect(messages[0]).toContain('builtin file');
  expect(messages[0]).toContain('manifest file');
});

test('of two tools with one id the first is used and the other is reported with both places', async () => {
  const registry = createRegistry(silentLogger);
  await registry.add(
    memorySource([named('go', 'a.md'), named('go', 'b.md'), named('stop')], { module: 'x' }),
  );
  expect([...registry.snapshot.tools.keys()]).toEqual(['x.go', 'x.stop']);
  expect(registry.snapshot.diagnostics).toEqual([
    expect.objectContaining({
      code: 'duplicate-id',
      severity: 'error',
      message: expect.stringMatching(/a\.md.*b\.md/),
    }),
  ]);
});

test('wire names hold only what clients accept, at most 49 characters, and no two tools share one', async () => {
  const registry = createRegistry(silentLogger);
  const long = 'x'.repeat(80);
  const names = [long, `${long}y`, 'a.b', 'a/b', 'a b', 'ä b', 'naïve', 'b__c', 'plain'];
  await registry.add(
    memorySource(
      names.map((name) => named(name)),
      { module: 'srv', kind: 'mcp' },
    ),
  );
  await registry.add(memorySource([named('c')], { module: 'srv__b', kind: 'mcp', id: 'second' }));
  const tools = [...registry.snapshot.tools.values()];
  for (const tool of tools) {
    expect(tool.wireName).toMatch(/^[A-Za-z0-9_-]{1,49}$/);
    expect(registry.snapshot.find(tool.wireName)?.id).toBe(tool.id);
  }
  expect(new Set(tools.map((tool) => tool.wireName)).size).toBe(names.length + 1);
});

test('a change of a source makes a new snapshot and leaves the old one as it was', async () => {
  const registry = createRegistry(silentLogger);
  const source = memorySource([named('one')]);
  await registry.add(source);
  const before = registry.snapshot;
  const changed = new Promise<void>((resolve) => registry.onChange(() => resolve()));
  source.change({ tools: [named('two')] });
  await changed;
  expect([...before.tools.keys()]).toEqual(['memory.one']);
  expect([...registry.snapshot.tools.keys()]).toEqual(['memory.two']);
  expect(registry.snapshot.version).toBeGreaterThan(before.version);
});

test('settled waits for what sources have announced, also while they list', async () => {
  const registry = createRegistry(silentLogger);
  const gate = Promise.withResolvers<void>();
  const source = memorySource([named('go')], { module: 'x' });
  let held = false;
  await registry.add({
    ...source,
    list: async () => {
      if (held) await gate.promise;
      return await source.list();
    },
  });
  await registry.settled();
  held = true;
  source.change({ tools: [named('go'), named('come')] });
  const settled = registry.settled().then(() => registry.snapshot.find('x.come')?.id);
  expect(registry.snapshot.find('x.come')).toBeUndefined();
  gate.resolve();
  expect(await settled).toBe('x.come');
});

test('settled waits until added and swapped sources are in the snapshot', async () => {
  const registry = createRegistry(silentLogger);
  const source = (module: string) => memorySource([named('go')], { module, id: module });
  // From every microtask of the change: everybody who waits then sees the change.
  for (let ticks = 0; ticks < 20; ticks++) {
    const [added, swapped] = [`added${ticks}`, `swapped${ticks}`];
    for (const [module, change] of [
      [added, registry.add(source(added))],
      [swapped, registry.swap([], [source(swapped), source(`${swapped}b`)])],
    ] as const) {
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      await registry.settled();
      expect(registry.snapshot.find(`${module}.go`)?.id).toBe(`${module}.go`);
      await change;
    }
  }
});

test('settled does not wait for a source that has left, for it is no longer in the snapshot', async () => {
  const registry = createRegistry(silentLogger);
  const gate = Promise.withResolvers<void>();
  const source = memorySource([named('go')], { module: 'x' });
  let isHeld = false;
  let isClosed = false;
  const handle = await registry.add({
    ...source,
    list: async () => {
      if (isHeld) await gate.promise;
      return await source.list();
    },
    async [Symbol.asyncDispose]() {
      await gate.promise;
      isClosed = true;
    },
  });
  isHeld = true;
  source.change({ tools: [named('go'), named('come')] });
  const closing = handle[Symbol.asyncDispose]();
  await registry.settled();
  expect(registry.snapshot.tools.size).toBe(0);
  expect(isClosed).toBe(false);
  gate.resolve();
  await closing;
  expect(isClosed).toBe(true);
  expect(registry.snapshot.tools.size).toBe(0);
});

test('a source that fails to list keeps its last good list in service and is reported', async () => {
  const registry = createRegistry(silentLogger);
  const source = memorySource([named('one')]);
  await registry.add(source);
  const changed = new Promise<void>((resolve) => registry.onChange(() => resolve()));
  source.change(() => {
    throw new Error('disk on fire');
  });
  await changed;
  expect(registry.snapshot.find('memory.one')).toBeDefined();
  expect(registry.snapshot.diagnostics[0]).toMatchObject({
    code: 'source-failed',
    message: expect.stringContaining('disk on fire'),
  });
});

test('removing a source hides its tools at once and closes it after its last call', async () => {
  const registry = createRegistry(silentLogger);
  const source = memorySource([named('one')]);
  const handle = await registry.add(source);
  const lease = registry.acquire('one')!;
  const removed = handle[Symbol.asyncDispose]();
  expect(registry.snapshot.find('one')).toBeUndefined();
  expect(registry.acquire('one')).toBeUndefined();
  expect(source.closed).toBe(false);
  lease[Symbol.dispose]();
  await removed;
  expect(source.closed).toBe(true);
});

test('replacing a source never shows a snapshot with neither of the two', async () => {
  const registry = createRegistry(silentLogger);
  const old = memorySource([named('one')]);
  const handle = await registry.add(old);
  const seen: boolean[] = [];
  registry.onChange((snapshot) => seen.push(snapshot.find('one') !== undefined));
  const next = await registry.replace(handle, memorySource([named('one')]));
  expect(seen).toEqual([true]);
  expect(registry.snapshot.tools.size).toBe(1);
  await expect.poll(() => old.closed).toBe(true);
  await next[Symbol.asyncDispose]();
  expect(registry.snapshot.tools.size).toBe(0);
});

test('a near miss is answered with the names that may have been meant', async () => {
  const registry = createRegistry(silentLogger);
  await registry.add(memorySource([named('deploy'), named('destroy')], { module: 'example' }));
  expect(registry.snapshot.suggest('exmaple.deploy')[0]).toBe('example.deploy');
  expect(registry.snapshot.suggest('deplyo')).toContain('example.deploy');
  expect(registry.snapshot.suggest('weather')).toEqual([]);
});
