import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../kit/homes/plugin-home.ts';

const token = `import { defineToken } from 'pegboard';
export const Greeter = defineToken<{ greet(name: string): Promise<string> }>('greeter', 'greetings');\n`;
/** It is a class, so that its functions need their \`this\`. \`test\`: what the running test wants to know and to decide. */
const provider = (word: string): string => `
  import { definePlugin, provide } from 'pegboard';
  import { Greeter } from './token.ts';
  class Words {
    #word = '${word}';
    isOpen = true;
    async greet(name: string) {
      const { test } = globalThis as any;
      test?.greeting();
      await test?.gate;
      return this.#word + ' ' + name + (this.isOpen ? '' : ' from the grave');
    }
  }
  export default definePlugin({ setup(context) {
    const words = new Words();
    context.own({ [Symbol.dispose]() { words.isOpen = false; } });
    return { provides: [provide(Greeter, words)] };
  } });`;
const manifestOf = (id: string, more = ''): string => `id: ${id}\nversion: "1.0.0"\ndescription: x\n${more}`;
const user = (setup = ''): string => `
  import { definePlugin, defineTool } from 'pegboard';
  import { Greeter } from './token.ts';
  export default definePlugin({ async setup(context) {
    const greeter = context.use(Greeter);
    ${setup}
    return { packs: { user: [{ name: 'greet', description: 'Greets', parameters: { type: 'object' },
      execute: () => greeter(({ greet }) => greet('Ada')) }] } };
  } });`;
const files = {
  'plugins/greeter/plugin.yaml': manifestOf('greeter', 'provides: [greeter]\n'),
  'plugins/greeter/token.ts': token,
  'plugins/greeter/index.ts': provider('Hello'),
  'plugins/user/plugin.yaml': manifestOf('user', 'packs: { user: { description: Uses a greeter } }\n'),
  'plugins/user/token.ts': token,
  'plugins/user/index.ts': user(),
};
const greet = async (home: PluginHome): Promise<string> => textOf(await home.call('user.greet'));
const replaceProvider = async (home: PluginHome, code: string): Promise<void> => {
  writeFileSync(home.path('plugins/greeter/index.ts'), code);
  await home.plugins.changed([home.path('plugins/greeter/index.ts')]);
};

test('a plugin uses what another provides, and the new one from the next use on', async () => {
  await using home = await openPluginHome({ files });
  expect(await greet(home)).toBe('Hello Ada');
  await replaceProvider(home, provider('Welcome'));
  expect(await greet(home)).toBe('Welcome Ada');
  expect(home.plugins.states.find(({ manifest: { id } }) => id === 'user')).toMatchObject({ generation: 1 });
});

test('whoever uses it while it is replaced finds it open until the end', async () => {
  await using home = await openPluginHome({ files });
  const gate = Promise.withResolvers<void>();
  const greeting = Promise.withResolvers<void>();
  Object.assign(globalThis, { test: { gate: gate.promise, greeting: greeting.resolve } });
  try {
    const call = greet(home);
    await greeting.promise;
    await replaceProvider(home, provider('Welcome'));
    gate.resolve();
    expect(await call).toBe('Hello Ada');
  } finally {
    Object.assign(globalThis, { test: undefined });
  }
});

test.each([
  ['it is off', {}, { greeter: { enabled: false } }, /greetings: `.* plugins enable greeter` turns it on\.$/],
  [
    'it fails',
    { 'plugins/greeter/index.ts': `export default { setup() { throw new Error('no luck'); } };` },
    {},
    /greetings: the plugin greeter did not start: no luck\.$/,
  ],
  [
    'it is declared by nobody',
    { 'plugins/greeter/plugin.yaml': manifestOf('greeter') },
    {},
    /greetings, and no plugin of this home does\.$/,
  ],
  [
    'it is declared and not brought',
    { 'plugins/greeter/index.ts': `export default { setup() {} };` },
    {},
    /greetings: the plugin greeter declares it and doesn't bring it\.$/,
  ],
])('where %s, the message says why and what to do', async (_what, changed, settings, message) => {
  await using home = await openPluginHome({ files: { ...files, ...changed }, settings });
  expect(await greet(home)).toMatch(message);
});

test('what is not declared is reported', async () => {
  await using home = await openPluginHome({
    files: { ...files, 'plugins/greeter/plugin.yaml': manifestOf('greeter') },
  });
  expect(home.plugins.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'undeclared-value', hint: 'declare it under provides:' }),
  );
});

test('a part of a wrong form makes the plugin fail, and says how to write it', async () => {
  await using home = await openPluginHome({
    files: { ...files, 'plugins/greeter/index.ts': `export default { setup: () => ({ provides: {} }) };` },
  });
  expect(home.plugins.diagnostics.map(({ message }) => message)).toContain(
    'the plugin greeter did not start: provides of the plugin greeter is broken: write a list.',
  );
});

const inSetup = `globalThis.inSetup = await greeter(({ greet }) => greet('Bob')).catch(({ message }) => message);`;
const outcome = (): unknown => (globalThis as { inSetup?: unknown }).inSetup;

test('in its setup a plugin uses what it requires, and nothing else', async () => {
  {
    await using _ = await openPluginHome({ files: { ...files, 'plugins/user/index.ts': user(inSetup) } });
    expect(outcome()).toBe(
      'Nothing here provides greetings while user is set up: its plugin.yaml has to name greeter under requires: plugins:.',
    );
  }
  await using _ = await openPluginHome({
    files: {
      ...files,
      'plugins/user/plugin.yaml': `${files['plugins/user/plugin.yaml']}requires: { plugins: [greeter] }\n`,
      'plugins/user/index.ts': user(inSetup),
    },
  });
  expect(outcome()).toBe('Hello Bob');
});
