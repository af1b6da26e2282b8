import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { callBody, modernHeaders, post } from '../../../kit/mcp/mcp-wire.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

const yaml = (id: string): string =>
  `id: ${id}\nversion: "1.0.0"\ndescription: Fails late\npacks: { ${id}: { description: ${id} } }\n`;
const tool = (name: string, body: string, more = ''): string =>
  `{ ${more} name: '${name}', description: '${name}', parameters: { type: 'object' }, annotations: { readOnlyHint: true }, execute: async (_args, call) => { ${body}; return 'done'; } }`;
/** Its tool `fail` makes its service fail; `closed-ID` is written when the service is closed. */
const service = (id: string, fail: string, setup = ''): string => `
  import { writeFileSync } from 'node:fs';
  import { createServer } from 'node:net';
  import { Worker } from 'node:worker_threads';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { EventEmitter } from 'node:events';
  const bus = new EventEmitter();
  export default { setup({ home }) {
    ${setup}
    return {
      packs: { '${id}': [${tool(`${id}_fail`, "bus.emit('fail')")}] },
      services: [
        { name: 'one', start() { const go = Promise.withResolvers(); bus.on('fail', go.resolve); go.promise.then(() => { ${fail} }); return { [Symbol.dispose]: () => writeFileSync(home + '/closed-${id}', '') }; } },
        { name: 'two', start: () => ({ [Symbol.dispose]: () => writeFileSync(home + '/closed-${id}-two', '') }) },
      ],
    };
  } };`;

const taken = createServer();
let home: TestHome;
let running: RunningCli;
const server = { port: 0, token: 'the-token' };

beforeAll(async () => {
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { port } = taken.address() as AddressInfo;
  const plugins: { readonly [id: string]: string } = {
    timer: service('timer', "setTimeout(() => { throw new Error('the timer broke') })"),
    port: service('port', `createServer().listen(${port}, '127.0.0.1')`),
    promise: service('promise', "void Promise.reject(new Error('the promise broke'))"),
    thread: service(
      'thread',
      "new Worker('', { eval: true }).on('exit', () => { throw new Error('the end of the thread broke'); })",
    ),
    full: service(
      'full',
      "new Worker('const all = []; for (;;) all.push(Array(1e5).fill(1.5))', { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })",
    ),
    gone: service(
      'gone',
      "setFlagsFromString('--expose-gc'); globalThis.kept = new FinalizationRegistry(() => { throw new Error('what is gone broke'); }); kept.register({}, 1); setImmediate(() => runInNewContext('gc')());",
    ),
    setup: service(
      'setup',
      '',
      "bus.once('fail', () => {}); const later = Promise.withResolvers(); bus.on('fail', later.resolve); later.promise.then(() => setTimeout(() => { throw new Error('the setup broke'); }));",
    ),
    quiet: service('quiet', ''),
    tools: `import { spawn } from 'node:child_process';
    import { PegboardError } from 'pegboard';
    const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
    export default { setup: () => ({
      packs: { tools: [
        ${tool('after', "setTimeout(() => { throw new Error('after the answer'); })")},
        ${tool('while', "setTimeout(() => { throw new Error('before the answer'); }); await new Promise(() => {})")},
        ${tool(
          'odd',
          `
          setTimeout(() => { const circle = new Error('a circle'); circle.cause = circle; throw circle; });
          setTimeout(() => { throw { big: 1n }; });
          setTimeout(() => { throw Object.assign(new Error(), { message: 1n }); });
          setTimeout(() => { throw new Proxy(new Error(), { get() { throw new Error('no'); } }); });
          setTimeout(() => { throw revoked(); });
          setTimeout(() => { throw Object.create(revoked()); });
          void Promise.reject(revoked());`,
        )},
        ${tool('then', "return { then(resolve) { setTimeout(() => { resolve(1); throw new Error('late then'); }); } }")},
        ${tool('get_then', "return { get then() { setTimeout(() => { throw new Error('late get then'); }); } }")},
        ${tool('to_json', "return { toJSON() { setTimeout(() => { throw new Error('late to json'); }); return { a: 1 }; } }")},
        ${tool('get_message', "throw { get message() { setTimeout(() => { throw new Error('late get message'); }); return 'm'; } }")},
        ${tool('get_error', "throw Object.defineProperty(new Error(), 'message', { get() { setTimeout(() => { throw new Error('late get error'); }); return 'm'; } })")},
        ${tool('get_data', "throw Object.assign(new PegboardError('PEG_TOOL_FAILED', 'x', { data: { get a() { setTimeout(() => { throw new Error('late get data'); }); return 1; } } }))")},
        ${tool('listener', "call.signal.addEventListener('abort', () => { throw new Error('late listener'); }); await new Promise(() => {})", 'timeout: 0.05,')},
        ${tool('on_abort', "call.signal.onabort = () => { throw new Error('late on abort'); }; await new Promise(() => {})", 'timeout: 0.05,')},
        ${tool('any_signal', "AbortSignal.any([call.signal]).addEventListener('abort', () => { throw new Error('late any signal'); }); await new Promise(() => {})", 'timeout: 0.05,')},
        ${tool('spawned', "spawn('sleep', ['50'], { signal: call.signal }); await new Promise(() => {})", 'timeout: 0.05,')},
        ${tool('prepared', '', "prepare: () => new Proxy({}, { get(_target, name) { if (name === 'preview') setTimeout(() => { throw new Error('late trap'); }); return undefined; }, ownKeys: () => ['preview'], getOwnPropertyDescriptor: () => ({ value: 'x', enumerable: true, configurable: true }) }),")},
        ${tool('null', 'return null')},
        ${tool('function', 'return () => {}')},
        ${tool('date', "return new Date('x')")},
        ${tool('judged_late', '')},
        ${tool('edited_late', '')},
        ${tool('long', "setTimeout(() => { throw new Error('word <b>x</b> '.repeat(400_000)); })")},
        ${tool('throws', 'throw revoked()')},
        ${tool('returns', 'return revoked()')},
        ${tool('returns_getter', 'return { get content() { throw revoked(); } }')},
        ${tool('returns_to_json', "return { content: [], structured: { toJSON() { throw new Error('no'); } } }")},
        ${tool('returns_bigint', 'return { content: [], structured: { big: 1n } }')},
        ${tool('returns_circle', 'const circle = {}; circle.own = circle; return { content: [], structured: circle }')},
        ${tool('returns_no_text', "return { content: [{ type: 'text', text: 1n }] }")},
        ${tool('returns_no_resource', "return { content: [{ type: 'resource' }] }")},
        ${tool('returns_no_blob', "return { content: [{ type: 'resource', resource: { uri: 'a:b' } }] }")},
        ${tool('returns_odd_meta', 'return { content: [], meta: { big: 1n } }')},
        ${tool('judged_oddly', '')},
        ${tool('judged', '')},
      ] },
      hooks: { preTool: [{ tools: 'tools.judged_oddly', handler: () => { throw revoked(); } }, { tools: 'tools.judged_late', handler: () => ({ get deny() { setTimeout(() => { throw new Error('late get deny'); }); } }) }, { tools: 'tools.judged', handler: async () => { queueMicrotask(() => { throw new Error('while judging'); }); await new Promise((resolve) => setTimeout(resolve, 50)); } }], postTool: { tools: 'tools.edited_late', handler: (_call, result) => ({ ...result, meta: { get a() { setTimeout(() => { throw new Error('late get meta'); }); return 1; } } }) } },
    }) };`,
  };
  home = await createHome({
    'pegboard.yaml': `serve: { token: the-token }\nplugins:\n${Object.keys(plugins)
      .map((id) => `  ${id}: { trusted: true }\n`)
      .join('')}`,
    ...Object.fromEntries(
      Object.entries(plugins).flatMap(([id, code]) => [
        [`plugins/${id}/plugin.yaml`, yaml(id)],
        [`plugins/${id}/index.ts`, code],
      ]),
    ),
    'spaces/s/agent/tools/spaced.ts': `export default ${tool('spaced', "setTimeout(() => { throw new Error('in a space'); })")};`,
    'spaces/s/agent/tools/handled.md':
      '---\nid: handled\nname: Handled\ndescription: Handled\nhandler: ./own.mjs#run\n---\n',
    'spaces/s/agent/tools/own.mjs':
      "export const run = () => { setTimeout(() => { throw new Error('in a function'); }); return 'done'; };",
  });
  for (const what of ['spaces/s', 'spaces/s/spaced']) {
    const allowed = await pegboard(['approvals', 'allow', what, '--yes', '--trust-home'], {
      home: home.path,
    });
    expect(allowed, what).toMatchObject({ code: 0 });
  }
  running = startPegboard(['start', '--http', '0', '--trust-home'], { home: home.path, apart: true });
  const shown = await running.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
  server.port = Number(/127\.0\.0\.1:(\d+)/.exec(shown)![1]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  taken.close();
});

const call = async (name: string): Promise<string> =>
  (await post(server, callBody(name, {}, 'modern'), modernHeaders(name))).text;
const logged = (text: string): Promise<string> =>
  waitUntil(
    () => home.read('data/logs/host.log'),
    (log) => log.includes(text),
  );
const isClosed = (what: string): boolean => existsSync(join(home.path, `closed-${what}`));

test.each([
  ['timer', 'the timer broke'],
  ['port', 'listen EADDRINUSE'],
  ['promise', 'the promise broke'],
  ['thread', 'the end of the thread broke'],
  ['full', 'Worker terminated due to reaching memory limit'],
  ['gone', 'what is gone broke'],
])('a late mistake in a service ends that service alone: %s', async (id, why) => {
  expect(await call(`${id}_fail`)).toContain('done');
  await running.waitFor(
    new RegExp(`plugin ${id}.*the service one was stopped, because its code failed: ${why}`),
  );
  await waitUntil(() => isClosed(id));
  expect([isClosed(`${id}-two`), isClosed('quiet')]).toEqual([false, false]);
  expect(await call('quiet_fail')).toContain('done');
});

test('what a setup left running ends the services of its plugin, and no others', async () => {
  expect(await call('setup_fail')).toContain('done');
  await logged('the setup broke');
  await waitUntil(() => isClosed('setup') && isClosed('setup-two'));
  expect([isClosed('quiet'), isClosed('quiet-two')]).toEqual([false, false]);
});

test('a late mistake of a tool fails the call that runs, and names the plugin behind one that has ended', async () => {
  expect(await call('while')).toContain(
    'The code of the plugin tools failed where nobody waits for it: before the answer.',
  );
  expect(await call('after')).toContain('done');
  await logged('after the answer');
  expect(await call('after')).toContain('done');
  expect(await logged('the plugin tools: it failed where nobody waits for it')).not.toContain('PEG_INTERNAL');
});

test('whatever is thrown, the host goes on', async () => {
  expect(await call('odd')).toContain('done');
  await logged('a circle');
  await logged('an error that cannot be shown');
  expect(await call('after')).toContain('done');
});

test('of a long message, only its beginning and its end are kept', async () => {
  expect(await call('long')).toContain('done');
  const said = await logged('word <b>x</b>');
  expect(said.split('\n').find((line) => line.includes('word <b>x</b>'))!.length).toBeLessThan(50_000);
  await running.waitFor(/word <b>x<\/b>/);
  expect(await call('after')).toContain('done');
});

test.each([
  'throws',
  'returns',
  'returns_getter',
  'returns_to_json',
  'returns_bigint',
  'returns_circle',
  'returns_no_text',
  'returns_no_resource',
  'returns_no_blob',
  'returns_odd_meta',
  'judged_oddly',
])('what can not be read fails its call alone: %s', async (name) => {
  const answer = await call(name);
  expect(answer).toContain('"isError":true');
  expect(answer).not.toContain('PEG_INTERNAL');
  expect(await call('after')).toContain('done');
});

test.each([
  ['then', 'late then'],
  ['get_then', 'late get then'],
  ['to_json', 'late to json'],
  ['get_message', 'late get message'],
  ['get_error', 'late get error'],
  ['get_data', 'late get data'],
  ['judged_late', 'late get deny'],
  ['edited_late', 'late get meta'],
  ['listener', 'late listener'],
  ['on_abort', 'late on abort'],
  ['any_signal', 'late any signal'],
  ['spawned', 'The operation was aborted'],
  ['prepared', 'late trap'],
])('what is read of %s is read as its own', async (name, mistake) => {
  await call(name);
  expect(await logged(mistake)).toContain('the plugin tools');
  expect(await call('after')).toContain('done');
});

test.each(['null', 'function', 'date'])('what JSON writes as null is an empty result: %s', async (name) => {
  expect(await call(name)).toContain('"content":[]');
});

test('a late mistake of a hook refuses the call that it judges', async () => {
  expect(await call('judged')).toContain('while judging');
});

test('a late mistake of code in a space names its file', async () => {
  expect(await call('spaced')).toContain('done');
  await logged('in a space');
  expect(await call('handled')).toContain('done');
  await logged('in a function');
  expect(running.child.exitCode).toBe(null);
});

test('a mistake in a listener of the signal of a plugin or a service changes no exit code', async () => {
  const listener = (name: string): string =>
    `addEventListener('abort', () => { throw new Error('${name}'); })`;
  await using own = await createHome({
    'pegboard.yaml': 'plugins: { signals: { trusted: true } }\n',
    'plugins/signals/plugin.yaml': 'id: signals\nversion: "1.0.0"\ndescription: Listens\n',
    'plugins/signals/index.ts': `export default { setup: ({ signal }) => {
      signal.${listener('of the plugin')};
      return { services: [{ name: 'one', start: (signal) => { signal.${listener('of the service')}; } }] };
    } };`,
  });
  const listed = await pegboard(['plugins', 'list', '--trust-home'], { home: own.path, apart: true });
  expect(listed).toMatchObject({ code: 0, stderr: expect.stringContaining('of the plugin') as string });
  await using started = startPegboard(['start', '--trust-home'], { home: own.path, apart: true });
  await started.waitFor(/personal, without a model/);
  started.child.kill('SIGTERM');
  const { code, stderr } = await started.ended;
  expect(code).toBe(0);
  expect(stderr).toContain(
    'The code of the plugin signals failed where nobody waits for it: of the service.',
  );
  expect(stderr).toContain('of the plugin.');
  expect(stderr).not.toContain('at AbortSignal');
});
