import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../../host/api/plugin.ts';
import type { Clock } from '../../../host/api/surroundings.ts';
import { whenAborted } from '../../../host/core/async/deadline.ts';
import { PegboardError } from '../../../host/core/errors.ts';
import { silentLogger } from '../../../host/core/log.ts';
import { startServices } from '../../../host/plugins/services.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../kit/homes/plugin-home.ts';

const yaml = (id: string, extra = ''): string =>
  `id: ${id}\nversion: "1.0.0"\ndescription: Test plugin ${id}\npacks: { ${id}: { description: Tools of ${id} } }\n${extra}`;

/** A plugin whose one tool says what its deepest module says. */
const files = (id: string, text: string): { readonly [path: string]: string } => ({
  [`plugins/${id}/plugin.yaml`]: yaml(id),
  [`plugins/${id}/index.ts`]: `
    import { definePlugin } from 'pegboard';
    import { say } from './lib/say.ts';
    export default definePlugin({ setup: () => ({ packs: { ${id}: [
      { name: 'say', description: 'Says it', parameters: { type: 'object' }, execute: say },
      { name: 'wait', description: 'Says it later', parameters: { type: 'object' }, execute: async () => {
        (globalThis as any).waiting?.();
        await (globalThis as any).gate;
        return (await import('./lib/late.ts')).late;
      } },
    ] } }) });`,
  [`plugins/${id}/lib/say.ts`]: `import { text } from './text.ts';\nexport const say = (): string => text;\n`,
  [`plugins/${id}/lib/text.ts`]: `export const text = '${text}';\n`,
  [`plugins/${id}/lib/late.ts`]: `export { text as late } from './text.ts';\n`,
});

async function save(home: PluginHome, path: string, content: string): Promise<void> {
  mkdirSync(dirname(home.path(path)), { recursive: true });
  writeFileSync(home.path(path), content);
  await home.plugins.changed([home.path(path)]);
}
const say = async (home: PluginHome, name = 'a.say'): Promise<string> => textOf(await home.call(name));

describe('a plugin that changes while it runs', () => {
  test('is reloaded with everything that it imports', async () => {
    await using home = await openPluginHome({ files: files('a', 'one') });
    expect(await say(home)).toBe('one');
    for (const text of ['two', 'three']) {
      await save(home, 'plugins/a/lib/text.ts', `export const text = '${text}';\n`);
      expect(await say(home)).toBe(text);
    }
    expect(home.plugins.states.find(({ manifest }) => manifest.id === 'a')).toMatchObject({
      state: 'running',
      generation: 3,
    });
  });

  test('ends its calls on the version on which they began, late imports included', async () => {
    await using home = await openPluginHome({ files: files('a', 'one') });
    const globals = globalThis as unknown as { gate: Promise<void>; waiting: () => void };
    const gate = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    Object.assign(globals, { gate: gate.promise, waiting: waiting.resolve });
    const call = home.call('a.wait');
    await waiting.promise;
    await save(home, 'plugins/a/lib/text.ts', `export const text = 'two';\n`);
    expect(await say(home)).toBe('two');
    gate.resolve();
    // late.ts was never loaded by the first generation; its text was.
    expect(textOf(await call)).toBe('one');
  });

  test.for([
    ['a syntax error', 'plugins/a/lib/text.ts', 'export const text = ;'],
    ['a throw in setup', 'plugins/a/index.ts', `export default { setup() { throw new Error('no luck'); } };`],
    ['a module that is gone', 'plugins/a/lib/say.ts', `export { say } from './nowhere.ts';`],
    ['a broken plugin.yaml', 'plugins/a/plugin.yaml', 'id: a\nversion: [1\n'],
  ] as const)('keeps its last good version over %s, says so, and comes back', async ([, path, broken]) => {
    const good = files('a', 'one');
    await using home = await openPluginHome({ files: { ...good, ...files('b', 'neighbour') } });
    const neighbour = home.registry.snapshot.find('b.say')!.source;
    await save(home, path, broken);
    expect(await say(home)).toBe('one');
    const [diagnostic] = home.plugins.diagnostics;
    expect(`${diagnostic?.path} ${diagnostic?.message}`).toContain(home.path(path));
    expect(home.registry.snapshot.find('b.say')!.source).toBe(neighbour);
    await save(home, path, good[path]!);
    await save(home, 'plugins/a/lib/text.ts', `export const text = 'mended';\n`);
    expect(await say(home)).toBe('mended');
    expect(home.plugins.diagnostics).toEqual([]);
  });

  test('comes and goes with its folder', async () => {
    await using home = await openPluginHome();
    for (const [path, text] of Object.entries(files('a', 'new'))) {
      mkdirSync(dirname(home.path(path)), { recursive: true });
      writeFileSync(home.path(path), text);
    }
    await home.plugins.changed([home.path('plugins/a')]);
    expect(await say(home)).toBe('new');
    rmSync(home.path('plugins/a'), { recursive: true });
    await home.plugins.changed([home.path('plugins/a')]);
    expect(home.registry.snapshot.find('a.say')).toBeUndefined();
  });

  test('leaves its names to the plugin that also has them', async () => {
    const files = (id: string): { readonly [path: string]: string } => ({
      [`plugins/${id}/plugin.yaml`]: yaml(id).replace(`packs: { ${id}:`, 'packs: { shared:'),
      [`plugins/${id}/index.ts`]: `export default { setup: () => ({
        packs: { shared: [{ name: 'say', description: 'x', parameters: { type: 'object' }, execute: () => '${id}' }] },
        services: [{ name: 's', start: () => void ((globalThis as any).starts ??= []).push('${id}') }],
      }) };`,
    });
    const globals = globalThis as unknown as { starts: string[] };
    globals.starts = [];
    await using home = await openPluginHome({ files: { ...files('a'), ...files('b') } });
    await home.plugins.startServices();
    expect(await say(home, 'shared.say')).toBe('a');
    expect(home.plugins.diagnostics).toMatchObject([{ code: 'duplicate-pack' }]);
    await home.plugins.apply({ a: { enabled: false } });
    expect(await say(home, 'shared.say')).toBe('b');
    expect(home.plugins.diagnostics).toEqual([]);
    await home.plugins.apply({});
    expect(await say(home, 'shared.say')).toBe('b');
    expect(home.plugins.diagnostics).toMatchObject([
      { code: 'duplicate-pack', path: home.path('plugins/a/plugin.yaml') },
    ]);
    await home.plugins.apply({ b: { enabled: false } });
    expect(await say(home, 'shared.say')).toBe('a');
    expect(globals.starts).toEqual(['a', 'b', 'a']);
  });

  test('gets changed settings, and leaves when it is disabled', async () => {
    const code = `export default { setup: ({ config }) => ({ packs: { a: [{ name: 'say', description: 'x', parameters: { type: 'object' }, execute: () => config.text }] } }) };`;
    const config = 'config: { type: object, properties: { text: { type: string, default: none } } }';
    await using home = await openPluginHome({
      files: { 'plugins/a/plugin.yaml': yaml('a', config), 'plugins/a/index.ts': code },
    });
    expect(await say(home)).toBe('none');
    await home.plugins.apply({ a: { config: { text: 'set' } } });
    expect(await say(home)).toBe('set');
    await home.plugins.apply({ a: { config: { text: 4 } } });
    expect(await say(home)).toBe('set');
    await home.plugins.apply({ a: { enabled: false } });
    expect(home.registry.snapshot.find('a.say')).toBeUndefined();
  });
});

test('old services end before new ones start, and only then does the old version close', async () => {
  const code = (text: string) => `
    const log = ((globalThis as any).order ??= []);
    export default { setup: ({ own }) => {
      own({ [Symbol.dispose]: () => void log.push('closed ${text}') });
      return { services: [{ name: 's', start: (signal) => {
        log.push('started ${text}');
        return { [Symbol.dispose]: () => void log.push('ended ${text} ' + signal.aborted) };
      } }] };
    } };`;
  const globals = globalThis as unknown as { order: string[] };
  globals.order = [];
  {
    await using home = await openPluginHome({
      files: { 'plugins/a/plugin.yaml': yaml('a'), 'plugins/a/index.ts': code('one') },
    });
    expect(globals.order).toEqual([]);
    await home.plugins.startServices();
    await save(home, 'plugins/a/index.ts', code('two'));
  }
  expect(globals.order.filter((line) => !line.startsWith('closed'))).toEqual([
    'started one',
    'ended one true',
    'started two',
    'ended two true',
  ]);
  expect(globals.order.indexOf('closed one')).toBeGreaterThan(globals.order.indexOf('ended one true'));
  expect(globals.order.at(-1)).toBe('closed two');
});

describe('a plugin that nobody has trusted', () => {
  const quiet = { services: { development: false } };
  test('is listed, and its code does not run', async () => {
    await using home = await openPluginHome({
      files: {
        ...files('a', 'one'),
        'plugins/a/lib/text.ts': '(globalThis as any).ran = true; export const text = 1;',
      },
      ...quiet,
    });
    expect(home.plugins.states.find(({ manifest }) => manifest.id === 'a')).toMatchObject({
      state: 'untrusted',
      problem: expect.stringContaining('pegboard approvals allow a') as string,
    });
    expect(globalThis).not.toHaveProperty('ran');
    expect(home.registry.snapshot.find('a.say')).toBeUndefined();
  });

  test('runs once trusted as it is; a change waits while the trusted version runs on', async () => {
    await using home = await openPluginHome({ files: files('a', 'one'), ...quiet });
    await home.trust('a');
    expect(await say(home)).toBe('one');
    await save(home, 'plugins/a/lib/text.ts', `export const text = 'two';\n`);
    expect(await say(home)).toBe('one');
    expect(home.plugins.diagnostics).toMatchObject([
      {
        code: 'plugin-untrusted',
        message: expect.stringContaining('changed since you trusted it') as string,
      },
    ]);
    await home.trust('a');
    expect(await say(home)).toBe('two');
  });
});

test('a service that the database keeps from starting is started again, until the host stops', async () => {
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    async sleep(ms, signal) {
      // Short ones pass at once.
      if (ms <= 2_000) pauses.push(ms);
      else await whenAborted(signal);
    },
  };
  const asked: string[] = [];
  const service = (name: string, startsAt: number): Service => ({
    name,
    start() {
      asked.push(name);
      if (asked.filter((one) => one === name).length < startsAt)
        throw new PegboardError('PEG_DATABASE', 'no server answers there');
      return { [Symbol.dispose]: () => void asked.push(`end of ${name}`) };
    },
  });
  const broken: Service = { name: 'broken', start: () => Promise.reject(new Error('its own mistake')) };
  const guard = { call: (run: () => unknown) => run(), service: (run: () => unknown) => run() };
  const surrounding = { guard: guard as never, log: silentLogger, clock };
  const running = await startServices([service('soon', 3), broken, service('never', 99)], surrounding);
  await expect.poll(() => asked.filter((one) => one === 'soon')).toHaveLength(3);
  await running[Symbol.asyncDispose]();
  expect(asked.filter((one) => one !== 'never')).toEqual(['soon', 'soon', 'soon', 'end of soon']);
  expect(pauses.toSorted((a, b) => a - b)).toEqual([1_000, 1_000, 2_000, 2_000]);
});
