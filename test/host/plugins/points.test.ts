import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome } from '../../kit/homes/plugin-home.ts';

const point = `import { definePoint } from 'pegboard';
export interface Greeting { readonly language: string; greet(name: string): Promise<string> }
export const Greetings = definePoint<Greeting>('greetings');\n`;
const adding = (language: string, word: string): string => `
  import { add, definePlugin } from 'pegboard';
  import { Greetings } from '../reader/point.ts';
  export default definePlugin({ setup: () => ({ points: [
    add(Greetings, { language: '${language}', greet: async (name) => '${word} ' + name }),
  ] }) });`;
const yamlOf = (id: string, more = ''): string => `id: ${id}\nversion: "1.0.0"\ndescription: x\n${more}`;
const reader = (setup = ''): string => `
  import { definePlugin } from 'pegboard';
  import { Greetings } from './point.ts';
  export default definePlugin({ async setup(context) {
    const greetings = context.all(Greetings);
    const seen = ((globalThis as any).seen = { changes: 0 });
    greetings.onChange(() => { seen.changes++; throw new Error('nobody reads this'); });
    ${setup}
    return { packs: { reader: [{ name: 'all', description: 'All greetings', parameters: { type: 'object' },
      execute: async () => {
        const all = await greetings.list();
        return (await Promise.all(all.map(async ({ language, greet }) => language + ': ' + (await greet('Ada'))))).join(', ');
      } }] } };
  } });`;
const files = {
  'plugins/reader/plugin.yaml': yamlOf('reader', 'packs: { reader: { description: Reads } }\n'),
  'plugins/reader/point.ts': point,
  'plugins/reader/index.ts': reader(),
  ...Object.fromEntries(
    [
      ['english', adding('en', 'Hello')],
      ['german', adding('de', 'Hallo')],
    ].flatMap(([id, code]) => [
      [`plugins/${id}/plugin.yaml`, yamlOf(id!, 'points: [greetings]\n')],
      [`plugins/${id}/index.ts`, code!.replace('../reader/point.ts', './point.ts')],
      [`plugins/${id}/point.ts`, point],
    ]),
  ),
};
const seen = (): { changes: number; inSetup?: string } =>
  (globalThis as unknown as { seen: { changes: number; inSetup?: string } }).seen;

test('a plugin reads what others add, and follows their reload and end', async () => {
  await using home = await openPluginHome({ files });
  const all = async (): Promise<string> => textOf(await home.call('reader.all'));
  expect(await all()).toBe('en: Hello Ada, de: Hallo Ada');
  const before = seen().changes;
  const german = home.path('plugins/german/index.ts');
  writeFileSync(german, adding('de', 'Servus').replace('../reader/point.ts', './point.ts'));
  await home.plugins.changed([german]);
  expect(await all()).toBe('en: Hello Ada, de: Servus Ada');
  expect(seen().changes).toBeGreaterThan(before);
  await home.plugins.apply({ english: { enabled: false } });
  expect(await all()).toBe('de: Servus Ada');
});

test('its listeners end with the plugin', async () => {
  await using home = await openPluginHome({ files });
  await home.plugins.apply({ reader: { enabled: false } });
  const { changes } = seen();
  await home.plugins.apply({ reader: { enabled: false }, english: { enabled: false } });
  expect(seen().changes).toBe(changes);
});

test('in its setup a plugin can not list a point: those that add to it may use this one', async () => {
  const setup = `seen.inSetup = await greetings.list().catch(({ message }) => message);`;
  await using _ = await openPluginHome({ files: { ...files, 'plugins/reader/index.ts': reader(setup) } });
  expect(seen().inSetup).toMatch(
    /^The plugin reader lists a point in its setup, .* Call it once setup has returned/,
  );
});

test('what is not declared is reported', async () => {
  await using home = await openPluginHome({
    files: { ...files, 'plugins/german/plugin.yaml': yamlOf('german') },
  });
  expect(home.plugins.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'undeclared-value', hint: 'declare it under points:' }),
  );
});
