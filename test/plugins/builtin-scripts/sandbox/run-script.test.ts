import { expect, test } from 'vitest';
import { isSoak, rounds } from '../../../kit/run/tiers.ts';
import { sandbox } from './running.ts';

const echo = { 'shop.get_order': (args: unknown) => args };

test('a program calls tools by path or id, and returns JSON', async () => {
  await using scripts = sandbox({ ...echo, 'odd-one.a b': () => 'odd' });
  expect(
    await scripts.run(
      'const n: number = 1;\nreturn [await tools.shop.get_order({ n }), await call("odd-one.a b")]',
    ),
  ).toMatchObject({
    kind: 'returned',
    value: [{ n: 1 }, 'odd'],
    unawaited: [],
    unhandled: [],
  });
  expect(await scripts.run('await tools; await tools.shop; return')).toMatchObject({
    kind: 'returned',
    value: undefined,
  });
});

test('a failed call throws a ToolError that says what and where', async () => {
  await using scripts = sandbox({
    fail: () => {
      throw new Error('out of order');
    },
  });
  const caught = `try { await call('fail'); } catch (error) { return [error instanceof ToolError, error.name, error.code, error.message]; }`;
  expect(await scripts.run(caught)).toMatchObject({ value: [true, 'ToolError', 'FAILED', 'out of order'] });
  expect(await scripts.run(`const a = 1;\n\nawait call('fail');`)).toMatchObject({
    kind: 'threw',
    error: { name: 'ToolError', code: 'FAILED', message: 'out of order', line: 3 },
  });
});

test.each([
  ['a thrown error', 'const a: any = undefined;\nreturn a.b', { name: 'TypeError', line: 2 }],
  ['a thrown object', 'throw { status: 404 }', { message: '{"status":404}' }],
  ['a thrown text', 'throw "no"', { message: 'no' }],
  [
    'an error that throws',
    'throw { get message() { throw 1; }, toJSON() { throw 1; }, toString() { throw 1; } }',
    { message: 'an error that cannot be shown' },
  ],
  ['a syntax error', 'return 1;\nconst = 2;', { name: 'SyntaxError', line: 2 }],
  [
    'TypeScript that is more than types',
    'enum Color { red }',
    { name: 'SyntaxError', message: expect.stringContaining('written in JavaScript') },
  ],
  [
    'a parameter property',
    'class A { constructor(private n: number) {} }',
    { message: expect.stringMatching(/^A TypeScript parameter property is not supported\. Types/) },
  ],
  ['a value that is no JSON', 'return 1n', { name: 'TypeError' }],
  ['a function', 'return () => 1', { message: "A function can't be returned." }],
  ['a Map', 'return { all: new Map() }', { message: expect.stringContaining('Object.fromEntries') }],
  ['a call without await', 'return [(async () => 1)()]', { message: expect.stringContaining('Await it') }],
  [
    'a tool that was not called',
    'return await tools.shop.order',
    { message: 'shop.order is a tool, not a value. Call it: tools.shop.order({…})' },
  ],
  [
    'a value that is too large',
    'return "x".repeat(5e6)',
    { message: expect.stringContaining('4000000 is the limit') },
  ],
] as const)('%s ends the script with its reason', async (_, program, error) => {
  await using scripts = sandbox();
  expect(await scripts.run(program)).toMatchObject({ kind: 'threw', error });
});

test('no more calls than allowed run at a time, or in all', async () => {
  let running = 0;
  let most = 0;
  await using scripts = sandbox({
    async busy() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
  });
  const program = `const all = await Promise.allSettled(Array.from({ length: 210 }, () => call('busy')));
    return [all.filter(({ status }) => status === 'fulfilled').length, all.at(-1).reason.code]`;
  expect(await scripts.run(program)).toMatchObject({ value: [200, 'PEG_LIMIT'] });
  expect(most).toBe(8);
  expect(await scripts.run(program, { calls: 20, parallelCalls: 2 })).toMatchObject({
    value: [20, 'PEG_LIMIT'],
  });
});

test('calls that nobody awaits have ended when the script has', async () => {
  let ended = 0;
  await using scripts = sandbox({
    async slow() {
      await new Promise((resolve) => setImmediate(resolve));
      ended++;
    },
  });
  expect(await scripts.run(`call('slow'); call('slow'); return 'done'`)).toMatchObject({
    value: 'done',
    unawaited: [{ name: 'slow' }, { name: 'slow' }],
  });
  expect(ended).toBe(2);
  expect(await scripts.run('return 1')).toMatchObject({ value: 1 });
});

test('a script that waits for nothing ends', async () => {
  await using scripts = sandbox(echo);
  expect(await scripts.run('await new Promise(() => {})')).toMatchObject({ kind: 'stuck' });
  expect(await scripts.run('await tools.shop.get_order({}); await new Promise(() => {})')).toMatchObject({
    kind: 'stuck',
  });
});

test('what it logs is kept, up to a limit', async () => {
  await using scripts = sandbox();
  expect(
    await scripts.run(`console.log('a', { b: 1 }); console.error([2]); throw new Error('x')`),
  ).toMatchObject({
    kind: 'threw',
    log: ['a {"b":1}', '[2]'],
  });
  const { log } = await scripts.run(`for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000))`);
  expect(log.at(-1)).toBe('(981,000 more characters were logged and left out: 20,000 is the limit.)');
  expect(log.slice(0, -1).join('\n').length).toBe(20_000);
});

/** All of them in soak. */
const share = rounds({ usual: 0.02, all: 0.08, soak: 1 });

test(
  'many scripts at once, with calls in parallel, mix nothing up and leave nothing behind',
  { timeout: 600_000 },
  async () => {
    await using scripts = sandbox({
      async wait({ n }: { n: number }) {
        for (let turns = 0; turns < n % 3; turns++) await new Promise((resolve) => setImmediate(resolve));
        return { n };
      },
    });
    const runMany = async (count: number): Promise<unknown[]> => {
      const wrong: unknown[] = [];
      let started = 0;
      const work = async (worker: number): Promise<void> => {
        while (started++ < count) {
          const parallel = 1 + (started % 12);
          const program = `const all = await Promise.all(Array.from({ length: ${parallel} }, (_, n) => call('wait', { n: n + ${worker} })));
          const last = await call('wait', { n: 1000 });
          return all.reduce((sum, { n }) => sum + n, last.n)`;
          const expected = 1000 + parallel * worker + (parallel * (parallel - 1)) / 2;
          const ended = await scripts.run(program);
          if (ended.kind !== 'returned' || ended.value !== expected) wrong.push([program, ended]);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
      return wrong;
    };
    await runMany(16);
    const before = process.memoryUsage.rss();
    expect(await runMany(1000 * share)).toEqual([]);
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(isSoak ? 30 : 60);
  },
);
