import { afterAll, expect, test } from 'vitest';
import { sandbox } from './running.ts';

const attempt = (expression: string): string =>
  `try { const got = ${expression}; return got === undefined ? 'nothing' : 'GOT ' + String(got); } catch (error) { return 'blocked'; }`;
const ofHost = `.constructor.constructor('return process')().pid`;

/** Ways out that worked in some sandbox for JavaScript. */
const attempts: Readonly<Record<string, string>> = {
  'the global object': attempt(`globalThis${ofHost}`),
  'the bridge': attempt(`call${ofHost}`),
  'the tools': attempt(`tools.a.b${ofHost}`),
  'a result': attempt(`(await call('echo', {}))${ofHost}`),
  'a promise': attempt(`call('echo', {})${ofHost}`),
  'an error': `try { await call('fail'); } catch (error) { ${attempt(`error${ofHost}`)} }`,
  'stack frames': attempt(
    `(() => { Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error('x'); return Array.isArray(stack) ? stack.map((frame) => frame.getThis()${ofHost})[0] : undefined; })()`,
  ),
  'an import': attempt(`(await import('node:fs')).readFileSync('/etc/hostname', 'utf8')`),
  'an import of data': attempt(`(await import('data:text/javascript,export default 1')).default`),
  require: attempt(`require('fs').readFileSync('/etc/hostname', 'utf8')`),
  environment: attempt('process.env.HOME'),
  bindings: attempt(`process.binding('fs')`),
  'the network': attempt(`await fetch('http://127.0.0.1:9/')`),
  timers: attempt(`setTimeout(() => {}, 1)`),
  WebAssembly: attempt(`WebAssembly.compile`),
  'a worker': attempt(`new Worker('x')`),
  'an iterator': `async function* all() { yield* { [Symbol.asyncIterator]: () => ({ next: () => ({ done: false, value: call('fail') }), return: (value) => value }) }; }
    try { for await (const _ of all()) break; return 'nothing'; } catch (error) { ${attempt(`error${ofHost}`)} }`,
  'the set-up': attempt(
    '[typeof __request, typeof __log, typeof __end, typeof finish, typeof fail, typeof start].find((type) => type !== "undefined")',
  ),
  'functions of stack frames': attempt(
    `await (async () => { let found; Error.prepareStackTrace = (_, frames) => { found ??= frames.map((frame) => frame.getFunction?.()).find((one) => one); return ''; }; call('echo'); try { call(Symbol()); } catch {} new Error('x').stack; return found; })()`,
  ),
  'shared memory': attempt('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)'),
};

const functions = {
  keys: (args: object) => Object.keys(args),
  echo: (args: unknown) => args,
  fail: () => {
    throw new Error('failed');
  },
};

const scripts = sandbox(functions);
afterAll(() => scripts[Symbol.asyncDispose]());

test.each(Object.entries(attempts))('no way out through %s', async (_, program) => {
  const ended = await scripts.run(program);
  expect(ended).toMatchObject({ kind: 'returned' });
  expect(['blocked', 'nothing']).toContain((ended as { readonly value?: unknown }).value);
});

test('a script has the language, its tools and nothing else', async () => {
  const language = new Set(
    Object.getOwnPropertyNames(globalThis).filter((name) => !Object.keys(globalThis).includes(name)),
  );
  const ended = await scripts.run('return Object.getOwnPropertyNames(globalThis)');
  const { value } = ended as { readonly value?: unknown };
  const own = (value as string[]).filter((name) => !language.has(name));
  expect(own.sort()).toEqual(['InternalError', 'ToolError', 'call', 'queueMicrotask', 'tools']);
});

test('what a script does to its own built-ins reaches neither the bridge nor the host', async () => {
  const spoiled = `
    JSON.stringify = () => '{"forged":true}'; JSON.parse = () => ({ forged: true });
    Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw new Error('spoiled'); };
    Object.prototype.polluted = 'yes'; Array.prototype.push = () => 0;
    const real = await call('echo', { a: 1 });
    Promise.prototype.then = () => {};
    return real.a;`;
  expect(await scripts.run(spoiled)).toMatchObject({ kind: 'returned', value: 1 });
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(await scripts.run('return [typeof JSON.parse, ({}).polluted === undefined]')).toMatchObject({
    value: ['function', true],
  });
});

test('keys of prototypes arrive as plain keys', async () => {
  const program = `return await call('keys', JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":{}}'))`;
  expect(await scripts.run(program)).toMatchObject({ value: ['__proto__', 'constructor'] });
});
