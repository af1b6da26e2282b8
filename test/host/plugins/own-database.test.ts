import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

const table = 'create table dice_rolls (rolled integer) strict';

/** `setup` defines what `rolls()` counts the rows of `dice_rolls` with. */
const openHome = (setup: string, contributions = ''): Promise<TestHome> =>
  createHome({
    'pegboard.yaml': 'plugins: { dice: { trusted: true } }\n',
    'plugins/dice/plugin.yaml': `id: dice
version: "1.0.0"
description: Rolls dice
packs: { dice: { description: Dice } }
commands:
  dice pair: { summary: Let in whoever got this code, usage: CODE }
  dice list: { summary: Who may write }
  dice allow: { summary: Let somebody in without a code, usage: ID }
  dice unpair: { summary: Shut somebody out, usage: ID }
`,
    'plugins/dice/index.ts': `
      import { createChannel } from 'pegboard/channels';
      const table = '${table}';
      export default { setup(context) {
        ${setup}
        return { ${contributions} packs: { dice: [{
          name: 'roll', description: 'Rolls dice', parameters: { type: 'object' },
          async execute() {
            const database = await tables.open();
            await database.insertInto('dice_rolls').values({ rolled: 4 }).execute();
            return (await database.selectFrom('dice_rolls').selectAll().execute()).length + ' rolls';
          },
        }] } };
      } };\n`,
  });

const roll = (home: TestHome) => pegboard(['call', 'dice.roll', '--yes'], { home: home.path });

test('a second list of migrations is refused, and the plugin says what to do', async () => {
  await using home = await openHome(`
    context.database([table]);
    const tables = context.database(['create table dice_throws (thrown integer) strict']);`);
  const found = await pegboardJson<{ diagnostics: readonly object[] }>(['tools'], { home: home.path });
  expect(found.diagnostics).toEqual([
    expect.objectContaining({
      code: 'plugin-failed',
      message:
        'the plugin dice did not start: The plugin dice calls database() again with other migrations, and a plugin has one list of them. Put all migrations into one list, and share what database() returned for it.',
    }),
  ]);
});

test.each([
  ['the same', 'context.database([table]); const tables = context.database([table]);'],
  ['none, after the others', 'context.database([table]); const tables = context.database([]);'],
  ['none, before the others', 'const tables = context.database([]); context.database([table]);'],
])('a second call returns the same database: %s', async (_, setup) => {
  await using home = await openHome(setup);
  expect(await roll(home)).toMatchObject({ code: 0, stdout: '1 rolls\n' });
  expect(await roll(home)).toMatchObject({ code: 0, stdout: '2 rolls\n' });
});

test('a channel and tables of its own do without being told of each other', async () => {
  await using home = await openHome(
    `const channel = createChannel(context, { name: 'dice', title: 'Dice', driver: undefined });
     const tables = context.database([table]);`,
    '...channel.contributions,',
  );
  expect(await roll(home)).toMatchObject({ code: 0, stdout: '1 rolls\n' });
  expect(await pegboard(['dice', 'list'], { home: home.path })).toMatchObject({ code: 0 });
});
