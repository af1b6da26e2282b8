import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { surroundingsBy } from '../../kit/surroundings.ts';
import { openPluginHome } from '../../kit/homes/plugin-home.ts';

/** plugin.yaml and index.ts of a plugin in the home. */
function plugin(id: string, code: string, extra = ''): { readonly [path: string]: string } {
  return {
    [`plugins/${id}/plugin.yaml`]: `id: ${id}\nversion: "1.0.0"\ndescription: Test plugin ${id}\n${extra}`,
    [`plugins/${id}/index.ts`]: code,
  };
}

const greeter = `
import { definePlugin, defineTool, PegboardError } from 'pegboard';
import Type from 'typebox';
import { suffix } from './suffix.ts';

export default definePlugin<{ greeting: string }>({
  setup({ config, signal, own, log }) {
    const state = { closed: [] as string[], signal };
    (globalThis as any).greeter = state;
    own({ [Symbol.dispose]: () => void state.closed.push('first') });
    own({ [Symbol.asyncDispose]: async () => void state.closed.push('second') });
    log.info('ready');
    return {
      packs: {
        people: [
          defineTool({
            name: 'greet',
            description: 'Greets someone',
            parameters: Type.Object({ name: Type.String(), times: Type.Optional(Type.Integer({ default: 1 })) }),
            execute: ({ name, times }) => Array(times).fill(config.greeting + ' ' + name + suffix).join(' '),
          }),
          defineTool({
            name: 'fail',
            description: 'Fails',
            parameters: { type: 'object' },
            execute: () => { throw new PegboardError('PEG_SERVER_UNAVAILABLE', 'Nobody is at home.'); },
          }),
          process.env['NEVER_SET'] && defineTool({ name: 'absent', description: 'x', parameters: { type: 'object' }, execute: () => {} }),
        ],
      },
      hooks: { preTool: { tools: 'people.*', handler: ({ args }) => (args as any).name === 'Voldemort' ? { deny: 'He must not be named.' } : undefined } },
    };
  },
});
`;
const greeterYaml = `
packs:
  people: { description: Greets people, alwaysLoad: true }
config:
  type: object
  additionalProperties: false
  properties:
    greeting: { type: string, default: Hello }
`;
const greeterFiles = {
  ...plugin('greeter', greeter, greeterYaml),
  'plugins/greeter/suffix.ts': `export const suffix: string = '!';\n`,
};

describe('a plugin in a home outside the package', () => {
  test('imports "pegboard" and TypeBox, and its tools run like all others', async () => {
    await using home = await openPluginHome({ files: greeterFiles });
    expect(home.plugins.diagnostics).toEqual([]);
    expect(textOf(await home.call('greet', { name: 'Ada' }))).toBe('Hello Ada!');
    expect(textOf(await home.call('people.greet', { name: 'Bo', times: 2 }))).toBe('Hello Bo! Hello Bo!');
    expect((await home.call('greet', { nam: 'Bo' })).error).toMatchObject({
      code: 'PEG_INVALID_ARGUMENTS',
      stage: 'validate',
    });
    expect(home.registry.snapshot.find('absent')).toBeUndefined();
  });

  test("throws errors that are the host's own", async () => {
    await using home = await openPluginHome({ files: greeterFiles });
    const result = await home.call('fail');
    expect(result.error).toEqual({
      code: 'PEG_SERVER_UNAVAILABLE',
      stage: 'execute',
      message: 'Nobody is at home.',
    });
  });

  test('judges calls by its hooks', async () => {
    await using home = await openPluginHome({ files: greeterFiles });
    const result = await home.call('greet', { name: 'Voldemort' });
    expect(result.error).toMatchObject({ code: 'PEG_DENIED', message: 'He must not be named.' });
  });

  test('is a source whose description, kind and origin come from its plugin.yaml', async () => {
    await using home = await openPluginHome({ files: greeterFiles });
    const { source } = home.registry.snapshot.find('greet')!;
    expect(source).toMatchObject({
      id: 'pack:people',
      kind: 'plugin',
      module: 'people',
      description: 'Greets people',
      alwaysLoad: true,
      origin: home.path('plugins/greeter'),
    });
    expect(home.registry.snapshot.find('read')!.source).toMatchObject({
      id: 'pack:filesystem',
      kind: 'builtin',
    });
  });

  test('gets its settings, checked', async () => {
    const settings = { greeter: { config: { greeting: 'Moin' } } };
    await using home = await openPluginHome({ files: greeterFiles, settings });
    expect(textOf(await home.call('greet', { name: 'Ada' }))).toBe('Moin Ada!');
    const wrong = { greeter: { config: { greting: 'Moin' } } };
    await using other = await openPluginHome({ files: greeterFiles, settings: wrong });
    expect(other.plugins.diagnostics[0]).toMatchObject({
      code: 'plugin-failed',
      message: expect.stringMatching(
        /plugins\.greeter\.config: .*"greting" is not known.*greting → greeting\?/,
      ),
    });
  });

  test('that is disabled stays silent', async () => {
    await using home = await openPluginHome({
      files: greeterFiles,
      settings: { greeter: { enabled: false } },
    });
    expect(home.plugins.states.map(({ manifest }) => manifest.id)).toContain('greeter');
    expect(home.registry.snapshot.find('greet')).toBeUndefined();
  });

  test('is retired: its signal aborts, then what it owns closes, last opened first', async () => {
    let state: { closed: string[]; signal: AbortSignal } | undefined;
    {
      await using home = await openPluginHome({ files: greeterFiles });
      expect(home.plugins.instances.length).toBeGreaterThan(1);
      state = (globalThis as unknown as { greeter: typeof state }).greeter;
      expect(state).toMatchObject({ closed: [] });
      expect(state?.signal.aborted).toBe(false);
    }
    expect(state?.signal.aborted).toBe(true);
    expect(state?.closed).toEqual(['second', 'first']);
  });

  test('may be built JavaScript', async () => {
    await using home = await openPluginHome({
      files: {
        'plugins/js/plugin.yaml':
          'id: js\nversion: "1.0.0"\ndescription: JS\npacks: { js: { description: d } }\n',
        'plugins/js/index.js': `import { textResult } from 'pegboard';
export default { setup: () => ({ packs: { js: [{ name: 'hi', description: 'd', parameters: { type: 'object' }, execute: () => textResult('hi') }] } }) };`,
      },
    });
    expect(textOf(await home.call('hi'))).toBe('hi');
  });
});

const simple = (pack: string, tool: string): string => `
import { definePlugin } from 'pegboard';
export default definePlugin({ setup: () => ({ packs: { ${pack}: [{ name: '${tool}', description: 'd', parameters: { type: 'object' }, execute: () => '${tool}' }] } }) });`;
const packs = (name: string): string => `packs: { ${name}: { description: d } }\n`;

describe('what is wrong with one plugin', () => {
  test('never touches its neighbours, also when it hangs', async () => {
    const clock = createMovedClock();
    const opening = openPluginHome({
      services: { surroundings: surroundingsBy(clock) },
      files: {
        ...plugin('good', simple('good', 'fine'), packs('good')),
        ...plugin('syntax', 'export default {', packs('syntax')),
        ...plugin('throws', `export default { setup() { throw new Error('no luck') } };`, packs('throws')),
        ...plugin(
          'hangs',
          `export default { setup: () => (process.emit('hangs'), new Promise(() => {})) };`,
          packs('hangs'),
        ),
        ...plugin('empty', 'export const x = 1;', packs('empty')),
        ...plugin('answer', 'export default { setup: () => 42 };', packs('answer')),
        ...plugin(
          'needs',
          simple('needs', 'n'),
          `requires: { env: [NOT_SET_HERE], binaries: [no-such-program], plugins: [nowhere] }\n${packs('needs')}`,
        ),
        ...plugin('after-throws', simple('at', 'at'), `requires: { plugins: [throws] }\n${packs('at')}`),
        ...plugin('ring-a', simple('ra', 'ra'), `requires: { plugins: [ring-b] }\n${packs('ra')}`),
        ...plugin('ring-b', simple('rb', 'rb'), `requires: { plugins: [ring-a] }\n${packs('rb')}`),
        'plugins/broken/plugin.yaml': 'id: broken\nversion: "1.0.0"\ndescription: x\npaks: {}\n',
        'plugins/no-yaml/plugin.yaml': 'id: [',
      },
    });
    await once(process, 'hangs');
    await vi.waitFor(() => expect(clock.sleeping(10_000)).toBe(1), { timeout: 50_000 });
    clock.pass(10_000);
    await using home = await opening;
    expect(textOf(await home.call('fine'))).toBe('fine');
    expect(home.registry.snapshot.find('read')).toBeDefined();
    const said = home.plugins.diagnostics.map(({ path, message }) => `${path}: ${message}`).join('\n');
    expect(said).toMatch(
      /syntax\/index\.ts: the plugin syntax did not start: .*(Expression|Unexpected|expected)/i,
    );
    expect(said).toMatch(/the plugin throws did not start: no luck/);
    expect(said).toMatch(/the plugin hangs did not start: timed out after 10 s/);
    expect(said).toMatch(/the plugin empty did not start: .*definePlugin/);
    expect(said).toMatch(/the plugin answer did not start: setup of answer returned number/);
    expect(said).toMatch(
      /the plugin needs did not start: the environment variable NOT_SET_HERE is not set; the program no-such-program is not installed.*; the plugin nowhere doesn't exist/,
    );
    expect(said).toMatch(
      /the plugin after-throws did not start: the plugin throws, which it needs, did not start/,
    );
    expect(said).toMatch(/the plugin ring-a did not start: it requires itself: ring-a → ring-b → ring-a/);
    expect(said).toMatch(/broken\/plugin\.yaml: "paks" is not known/);
    expect(said).toMatch(/no-yaml\/plugin\.yaml: /);
    const running = home.plugins.instances.filter(({ manifest }) => !manifest.builtin);
    expect(running.map(({ manifest }) => manifest.id)).toEqual(['good']);
    expect(home.plugins.instances.map(({ manifest }) => manifest.id)).toContain('builtin-core');
  });

  test('is reported with line and column when it is in plugin.yaml', async () => {
    await using home = await openPluginHome({
      files: { 'plugins/x/plugin.yaml': 'id: x\nversion: "1.0.0"\ndescription: d\nentri: index.ts\n' },
    });
    expect(home.plugins.diagnostics[0]).toMatchObject({
      code: 'unknown-key',
      path: home.path('plugins/x/plugin.yaml'),
      line: 4,
      column: 1,
      hint: 'entri → entry?',
    });
  });

  test('leaves out only the tool or pack that it concerns', async () => {
    const code = `
const tool = (parts) => ({ name: 'ok', description: 'd', parameters: { type: 'object' }, execute: () => 'ok', ...parts });
export default { setup: () => ({ packs: {
  mixed: [tool(), tool({ name: 'bad name' }), tool(), tool({ name: 'a', description: '' }), tool({ name: 'b', parameters: [] }), tool({ name: 'c', execute: 1 }), null],
  mixd: [tool({ name: 'd' })],
} }) };`;
    await using home = await openPluginHome({ files: plugin('mixed', code, packs('mixed')) });
    expect([...home.registry.snapshot.tools.keys()].filter((id) => id.startsWith('mix'))).toEqual([
      'mixed.ok',
    ]);
    expect(home.plugins.diagnostics.map(({ message, hint }) => `${message} ${hint ?? ''}`)).toEqual([
      expect.stringMatching(/"bad name" of pack mixed is left out: a name has/),
      expect.stringMatching(/"ok" of pack mixed is left out: its name is taken/),
      expect.stringMatching(/"a" .*no description/),
      expect.stringMatching(/"b" .*JSON Schema/),
      expect.stringMatching(/"c" .*no execute/),
      expect.stringMatching(/a pack "mixd" that its plugin\.yaml doesn't declare.* mixd → mixed\?/),
    ]);
  });
});

describe('several plugins', () => {
  test('start after those that they require', async () => {
    const order = (id: string): string =>
      `export default { setup() { (globalThis.started ??= []).push('${id}'); } };`;
    await using home = await openPluginHome({
      files: {
        ...plugin('a', order('a'), 'requires: { plugins: [c] }\n'),
        ...plugin('b', order('b'), 'requires: { plugins: [a] }\n'),
        ...plugin('c', order('c')),
      },
    });
    expect((globalThis as unknown as { started: string[] }).started).toEqual(['c', 'a', 'b']);
    expect(home.plugins.instances.map(({ manifest }) => manifest.id).filter((id) => id.length === 1)).toEqual(
      ['c', 'a', 'b'],
    );
  });

  test('with one id, or one name for a pack, are reported with both places', async () => {
    await using home = await openPluginHome({
      files: {
        ...plugin('one', simple('same', 'x'), packs('same')),
        ...plugin('two', simple('same', 'y'), packs('same')),
        'plugins/three/plugin.yaml': 'id: one\nversion: "1.0.0"\ndescription: d\n',
        'plugins/builtin-core/plugin.yaml': 'id: builtin-core\nversion: "9.0.0"\ndescription: impostor\n',
      },
    });
    expect(home.registry.snapshot.find('same.x')).toBeDefined();
    expect(home.registry.snapshot.find('same.y')).toBeUndefined();
    expect(
      home.plugins.states.find(({ manifest }) => manifest.id === 'builtin-core')?.manifest,
    ).toMatchObject({ builtin: true });
    const codes = home.plugins.diagnostics.map(({ code, path }) => `${code} ${path?.split('/').at(-2)}`);
    expect(codes.sort()).toEqual([
      'duplicate-pack two',
      'duplicate-plugin builtin-core',
      'duplicate-plugin three',
      'plugin-folder-name three',
    ]);
  });

  test('are not confused by settings for one that is not there', async () => {
    await using home = await openPluginHome({ settings: { 'bultin-core': {} } });
    expect(home.plugins.diagnostics).toMatchObject([
      { code: 'unknown-plugin', severity: 'warning', hint: 'bultin-core → builtin-core?' },
    ]);
  });
});
