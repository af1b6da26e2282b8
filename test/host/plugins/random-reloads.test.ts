import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { surroundingsBy } from '../../kit/surroundings.ts';
import { openPluginHome } from '../../kit/homes/plugin-home.ts';

/** More of them by `npm run soak`. */
const reloads = Number(process.env['PEGBOARD_RELOADS'] ?? 150);

const yaml = (id: string): string =>
  `id: ${id}\nversion: "1.0.0"\ndescription: x\npacks: { ${id}: { description: x } }\nconfig: { type: object, additionalProperties: false, properties: { n: { type: integer, default: 0 } } }\n`;
const entry = (id: string, generation: number): string => `
  import { version } from './version.ts';
  const live = ((globalThis as any).live ??= { timers: new Set(), listeners: 0 });
  export default { setup({ own, signal }) {
    const timer = setInterval(() => {}, 1000);
    live.timers.add(timer);
    own({ [Symbol.dispose]: () => { clearInterval(timer); live.timers.delete(timer); } });
    live.listeners++;
    signal.addEventListener('abort', () => live.listeners--);
    return { packs: { ${id}: [
      { name: 'version', description: 'x', parameters: { type: 'object' }, execute: () => version + ' ${generation}' },
    ] } };
  } };`;
const broken: readonly ((id: string) => readonly [file: string, text: string])[] = [
  () => ['version.ts', 'export const version = ;'],
  (id) => ['index.ts', `${entry(id, 0)}\nthrow new Error('at import');`],
  () => ['index.ts', `export default { setup() { throw new Error('in setup'); } };`],
  () => ['index.ts', `export default { nothing: true };`],
  () => ['plugin.yaml', 'id: [broken\n'],
  () => [
    'index.ts',
    `export default { setup: () => ({ packs: { neighbour: [{ name: 'version', description: 'x', parameters: {}, execute: () => 'stolen' }] } }) };`,
  ],
];

test('random reloads under load, half of them broken: every answer is of a good version, neighbours notice nothing, nothing leaks', async () => {
  const files = (id: string) => ({
    [`plugins/${id}/plugin.yaml`]: yaml(id),
    [`plugins/${id}/index.ts`]: entry(id, 0),
    [`plugins/${id}/version.ts`]: `export const version = 'v0';\n`,
  });
  await using home = await openPluginHome({ files: { ...files('a'), ...files('b'), ...files('neighbour') } });
  const save = (id: string, file: string, text: string): void =>
    writeFileSync(home.path(`plugins/${id}/${file}`), text);
  const neighbour = home.registry.snapshot.find('neighbour.version')!.source;
  const good: Record<string, Set<string>> = {
    a: new Set(['v0 0']),
    b: new Set(['v0 0']),
    neighbour: new Set(['v0 0']),
  };
  const wrong: string[] = [];
  const state = { done: false };
  let calls = 0;
  const load = async (): Promise<void> => {
    while (!state.done) {
      for (const id of ['a', 'b', 'neighbour']) {
        const result = await home.call(`${id}.version`);
        calls++;
        if (result.error || !good[id]!.has(textOf(result))) wrong.push(`${id}: ${textOf(result)}`);
      }
      await new Promise(setImmediate);
    }
  };
  const loads = [load(), load()];
  let seed = 4711;
  const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % below;
  for (let step = 1; step <= reloads; step++) {
    await new Promise(setImmediate);
    const id = random(2) === 0 ? 'a' : 'b';
    if (random(2) === 0) {
      const [file, text] = broken[random(broken.length)]!(id);
      save(id, file, text);
    } else {
      good[id]!.add(`v${step} ${step}`);
      save(id, 'plugin.yaml', yaml(id));
      save(id, 'version.ts', `export const version = 'v${step}';\n`);
      save(id, 'index.ts', entry(id, step));
      await home.plugins.changed([home.path(`plugins/${id}`)]);
      expect(textOf(await home.call(`${id}.version`))).toBe(`v${step} ${step}`);
      continue;
    }
    await home.plugins.changed([home.path(`plugins/${id}`)]);
  }
  state.done = true;
  await Promise.all(loads);
  expect(wrong).toEqual([]);
  expect(calls).toBeGreaterThan(reloads);
  expect(home.registry.snapshot.find('neighbour.version')!.source).toBe(neighbour);
  const { live } = globalThis as unknown as { live: { timers: Set<unknown>; listeners: number } };
  await expect.poll(() => [live.timers.size, live.listeners]).toEqual([3, 3]);
}, 120_000);

test('a plugin that hangs in setup is given up after its time, and its neighbour reloads meanwhile', async () => {
  const clock = createMovedClock();
  await using home = await openPluginHome({
    services: { surroundings: surroundingsBy(clock) },
    files: {
      'plugins/a/plugin.yaml': yaml('a'),
      'plugins/a/index.ts': entry('a', 0),
      'plugins/a/version.ts': `export const version = 'v0';\n`,
      'plugins/b/plugin.yaml': yaml('b'),
      'plugins/b/index.ts': entry('b', 0),
      'plugins/b/version.ts': `export const version = 'v0';\n`,
    },
  });
  writeFileSync(home.path('plugins/a/index.ts'), 'export default { setup: () => new Promise(() => {}) };');
  const hanging = home.plugins.changed([home.path('plugins/a/index.ts')]);
  writeFileSync(home.path('plugins/b/version.ts'), `export const version = 'v1';\n`);
  const reloading = home.plugins.changed([home.path('plugins/b/version.ts')]);
  const first = await Promise.race([reloading.then(() => 'b'), hanging.then(() => 'a')]);
  expect(first).toBe('b');
  expect(textOf(await home.call('b.version'))).toBe('v1 0');
  clock.pass(10_000);
  await hanging;
  expect(textOf(await home.call('a.version'))).toBe('v0 0');
  expect(home.plugins.diagnostics).toMatchObject([
    {
      code: 'plugin-failed',
      message: expect.stringMatching(/timed out after 10 s.* last good version/) as string,
    },
  ]);
});
