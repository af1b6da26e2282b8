import { expect, test } from 'vitest';
import { isSoak } from '../../../kit/run/tiers.ts';
import { sandbox } from './running.ts';

/** What a script may do to take all time or memory, and how it ends. */
const bombs: Readonly<Record<string, readonly [program: string, end: object]>> = {
  loop: ['while (true) {}', { kind: 'exceeded', limit: 'cpu' }],
  microtasks: ['for (;;) await null;', { kind: 'exceeded', limit: 'cpu' }],
  strings: [
    `let s = 'x'; const keep = []; for (;;) { s += s; keep.push(s + keep.length); }`,
    { kind: 'threw' },
  ],
  arrays: [
    'const keep = []; for (;;) keep.push(new Array(1000).fill({}));',
    { kind: 'exceeded', limit: 'memory' },
  ],
  buffers: [
    `const keep = []; for (;;) keep.push(new Uint8Array(1 << 20).fill(1));`,
    { kind: 'exceeded', limit: 'memory' },
  ],
  'kept globally': [
    `globalThis.keep = []; for (;;) keep.push('x'.repeat(100_000) + keep.length);`,
    { kind: 'exceeded', limit: 'memory' },
  ],
  recursion: [
    'function f(n) { return f(n + 1) + 1; } return f(0);',
    { kind: 'threw', error: { name: 'RangeError' } },
  ],
  'caught recursion': [
    `function f(n) { try { return f(n + 1) + 1; } catch { return n; } } return f(0) > 10;`,
    { kind: 'returned', value: true },
  ],
  pattern: [`return /^(a+)+$/.test('a'.repeat(34) + 'b');`, { kind: 'exceeded', limit: 'cpu' }],
  'one long built-in': [
    'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    { kind: 'exceeded', limit: 'cpu' },
  ],
  sorting: [
    `const a = Array.from({ length: 3e5 }, (_, i) => i); for (;;) a.sort(() => 0.5 - Math.random());`,
    { kind: 'exceeded', limit: 'cpu' },
  ],
  'large arguments': [
    `const text = 'x'.repeat(3e6); for (;;) call('ok', { text });`,
    { kind: 'exceeded', limit: 'memory' },
  ],
  'endless calls': [`for (;;) { try { await call('ok'); } catch {} }`, { kind: 'exceeded', limit: 'cpu' }],
  'endless log': [`for (;;) console.log('x'.repeat(1000));`, { kind: 'exceeded', limit: 'cpu' }],
  'deep program': ['('.repeat(100_000), { kind: 'crashed' }],
};

const baseMegabytes = 130;
/** Seconds. What has to reach the limit of memory first gets more. */
const cpuFor = (end: object): number => (isSoak ? 10 : 'limit' in end && end.limit === 'cpu' ? 0.3 : 5);

test.each(Object.entries(bombs))(
  '%s: ends, and costs the host nothing',
  { timeout: 300_000 },
  async (_, [program, end]) => {
    await using scripts = sandbox({ ok: () => ({}) });
    await scripts.run('return 1');
    const before = process.memoryUsage.rss();
    const own = process.threadCpuUsage();
    const all = process.cpuUsage();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
    const cpu = cpuFor(end);
    const ended = await scripts.run(program, { cpu });
    clearInterval(watch);
    expect(ended).toMatchObject(end);
    expect((peak - before) / 2 ** 20).toBeLessThan(baseMegabytes);
    const { user, system } = process.threadCpuUsage(own);
    const everything = process.cpuUsage(all);
    // 200 calls and what the test itself measures are part of it.
    expect(user + system).toBeLessThan(0.6 * (everything.user + everything.system) + 50_000);
    expect(everything.user + everything.system).toBeLessThan((2 * cpu + 1) * 1e6);
    expect(await scripts.run('return 2')).toMatchObject({ kind: 'returned', value: 2 });
  },
);

test('scripts that need much, one after the other, give it back', { timeout: 60_000 }, async () => {
  await using scripts = sandbox();
  await scripts.run('return 1');
  const before = process.memoryUsage.rss();
  const program = `const keep = []; for (let n = 0; n < 50; n++) keep.push(new Uint8Array(1 << 20).fill(1));`;
  for (const end of [
    'return keep.length',
    'throw new Error("x")',
    'return keep.length',
    'for (;;) keep.push(keep.slice())',
  ])
    await scripts.run(`${program}\n${end}`);
  expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(baseMegabytes);
});

test('a call that never ends is stopped with the script', async () => {
  const stopped: string[] = [];
  const controller = new AbortController();
  await using scripts = sandbox({
    hang: (_args, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push('hang');
          reject(new Error('stopped'));
        });
        controller.abort();
      }),
  });
  expect(
    await scripts.run(`for (;;) { try { await call('hang'); } catch {} }`, {}, controller.signal),
  ).toMatchObject({ kind: 'cancelled' });
  expect(stopped).toEqual(['hang']);
});
