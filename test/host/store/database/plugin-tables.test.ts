import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { newestOf, sqliteMigrations } from '../../../../host/store/database/tables/migrations.ts';
import type { TableOwner } from '../../../../host/store/database/plugin-migrations.ts';
import {
  createPluginTables,
  dropPluginTables,
  pluginTables,
} from '../../../../host/store/database/plugin-tables.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';

interface Tables {
  readonly dice_throws: { readonly thrown: number };
}

const dice: TableOwner = { plugin: 'dice', prefixes: ['dice_', 'dice_'] };
const throws = 'create table dice_throws (thrown integer) strict';

test("tables of a plugin wait for the process's own writing, and hold nothing up meanwhile", async () => {
  await using home = await createUnusedHome();
  await using database = createDatabase(join(home.path, 'data/pegboard.db'));
  const shared = await database.open();
  const tables = createPluginTables<Tables>(database, dice, [throws]);
  const writing = await shared.startTransaction().execute();
  await writing.deleteFrom('conversations').execute();
  const opening = tables.open();
  // Several turns of the event loop, which a writer with SQLite's blocking wait would prevent.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  await writing.commit().execute();
  const own = await opening;
  await own.insertInto('dice_throws').values({ thrown: 6 }).execute();
  expect(await own.selectFrom('dice_throws').selectAll().execute()).toEqual([{ thrown: 6 }]);
});

test('all that a plugin made is dropped, and made again by its migrations', async () => {
  await using home = await createUnusedHome();
  await using database = createDatabase(join(home.path, 'data/pegboard.db'));
  expect(await pluginTables(database, 'dice')).toEqual([]);
  const all = [
    `${throws}; create virtual table dice_words using fts5 (word); create view dice_best as select max(thrown) from dice_throws;
     create trigger dice_log after insert on dice_throws begin delete from dice_words; end`,
  ];
  const cards: TableOwner = { plugin: 'cards', prefixes: ['cards_'] };
  await createPluginTables(database, cards, ['create table cards_hands (card text)']).open();
  await (
    await createPluginTables<Tables>(database, dice, all).open()
  )
    .insertInto('dice_throws')
    .values({ thrown: 6 })
    .execute();
  expect(await pluginTables(database, 'dice')).toEqual(['dice_throws', 'dice_words']);
  await dropPluginTables(database, 'dice');
  expect(await pluginTables(database, 'dice')).toEqual([]);
  expect(await pluginTables(database, 'cards')).toEqual(['cards_hands']);
  const anew = await createPluginTables<Tables>(database, dice, all).open();
  expect(await anew.selectFrom('dice_throws').selectAll().execute()).toEqual([]);
});

/** Like Node before 24.10. */
function withoutAuthorizer(): Disposable {
  const own = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'setAuthorizer');
  Reflect.deleteProperty(DatabaseSync.prototype, 'setAuthorizer');
  return {
    [Symbol.dispose]: () => {
      if (own) Object.defineProperty(DatabaseSync.prototype, 'setAuthorizer', own);
    },
  };
}

describe('a migration of a plugin', () => {
  const cards: TableOwner = { plugin: 'cards', prefixes: ['cards_'] };
  /** The content of the database after the two plugins have created their tables. */
  const openTwo = async () => {
    const home = await createUnusedHome();
    const database = createDatabase(join(home.path, 'data/pegboard.db'));
    await createPluginTables(database, cards, [
      `create table cards_hands (card text) strict; insert into cards_hands values (1);
       create table cards_draws (id integer primary key autoincrement) strict; insert into cards_draws values (5)`,
    ]).open();
    await createPluginTables(database, dice, [throws]).open();
    const read = (query: string) => {
      using file = new DatabaseSync(database.path, { readOnly: true });
      return file.prepare(query).all();
    };
    return {
      database,
      contents: () => [
        read('select * from sqlite_schema order by name'),
        read('select * from cards_hands'),
        read('select * from plugin_versions'),
        read('select * from plugin_objects'),
        read('select * from sqlite_sequence'),
        ['user_version', 'application_id'].map((name) => read(`pragma ${name}`)),
      ],
      async [Symbol.asyncDispose]() {
        await database[Symbol.asyncDispose]();
        await home[Symbol.asyncDispose]();
      },
    };
  };
  const ofCards = 'which belongs to the plugin cards';
  const ofHost = 'which belongs to Pegboard';

  test.each([
    [
      'create table rolls (n integer)',
      'its migration 3 creates the table "rolls", but a plugin\'s names begin with "dice_". Rename',
    ],
    ['create view rolls as select 1', 'creates the view "rolls"'],
    ['create index by_number on dice_throws (thrown)', 'creates the index "by_number"'],
    ['create virtual table found using fts5 (text)', 'creates the table "found"'],
    ['alter table dice_throws rename to throws', 'creates the table "throws"'],
    ['create table "dice" (n integer)', 'creates the table "dice"'],
    ['drop table cards_hands', `"cards_hands", ${ofCards}`],
    [
      'alter table cards_hands add column suit text',
      `its migration 3 changes the table "cards_hands", ${ofCards}`,
    ],
    ['alter table [cards_hands] rename to dice_hands', `the table "cards_hands", ${ofCards}`],
    [
      'create index dice_hands on cards_hands (card)',
      `adds the index "dice_hands" to the table "cards_hands", ${ofCards}`,
    ],
    [
      'create trigger dice_look after insert on messages begin delete from messages; end',
      `adds the trigger "dice_look" to the table "messages", ${ofHost}`,
    ],
    ['drop table messages', `the table "messages", ${ofHost}`],
    ['alter table messages add column dice integer', `changes the table "messages", ${ofHost}`],
    ['delete from cards_hands', `changes the table "cards_hands", ${ofCards}`],
    ["/* ; */ UPDATE main.'cards_hands' SET card = 2", `changes the table "cards_hands", ${ofCards}`],
    ["insert into messages (text) values ('hello')", `changes the table "messages", ${ofHost}`],
    ['update plugin_versions set version = 0', `changes the table "plugin_versions", ${ofHost}`],
    [
      'pragma writable_schema = on; update sqlite_schema set sql = replace(sql, "card", "suit") where name = \'cards_hands\'',
      'has PRAGMA writable_schema, but a migration may only create, change and fill tables of its plugin',
    ],
    ['pragma user_version = 99', 'its migration 3 has PRAGMA user_version, but'],
    ['PRAGMA main.application_id(1)', 'has PRAGMA application_id, but'],
    ['pragma foreign_keys = off', 'has PRAGMA foreign_keys, but'],
    ['pragma trusted_schema = on', 'has PRAGMA trusted_schema, but'],
    ['pragma recursive_triggers = 1', 'has PRAGMA recursive_triggers, but'],
    ['pragma optimize', 'has PRAGMA optimize, but'],
    ['analyze', 'has ANALYZE, but'],
    ['reindex', ofHost],
    ['reindex messages', `changes the table "messages", ${ofHost}`],
    ['create temp table plugin_versions (plugin text, version integer)', 'has CREATE TEMP TABLE, but'],
    [
      'create temp trigger dice_look after insert on plugin_versions begin delete from messages; end',
      'has CREATE TEMP TRIGGER, but',
    ],
    [
      "update sqlite_sequence set seq = 7 where name = 'cards_draws'",
      'has a statement that changes the row numbers of cards_draws, but',
    ],
    ['drop table dice_throws; commit', 'its migration 3 has a statement like COMMIT'],
    ['drop table dice_throws; end transaction; begin', 'has a statement like COMMIT'],
    ["attach ':memory:' as other", 'has a statement like COMMIT'],
  ])('is refused and undone: %s', async (script, message) => {
    await using two = await openTwo();
    const before = two.contents();
    const opening = createPluginTables(two.database, dice, [
      throws,
      'create table dice_first (n integer); insert into dice_first values (1)',
      script,
    ]).open();
    await expect(opening).rejects.toMatchObject({
      code: 'PEG_DATABASE',
      message: expect.stringMatching(
        /The tables of the plugin dice in .*Nothing was changed, and a copy is in \S+\.$/s,
      ) as string,
    });
    await expect(opening).rejects.toThrow(message);
    expect(two.contents()).toEqual(before);
  });

  test.each([
    ['pragma user_version = 99', 'has a statement that changes PRAGMA user_version'],
    ['pragma application_id = 1', 'has a statement that changes PRAGMA application_id'],
    ['pragma recursive_triggers = 1', 'has a statement that changes PRAGMA recursive_triggers'],
    ['drop table dice_throws; commit', 'has a statement like COMMIT'],
  ])('is refused on a Node that cannot see statements: %s', async (script, message) => {
    await using two = await openTwo();
    const before = two.contents();
    using _old = withoutAuthorizer();
    const opening = createPluginTables(two.database, dice, [throws, script]).open();
    await expect(opening).rejects.toThrow(message);
    if (!script.includes('commit')) expect(two.contents()).toEqual(before);
  });

  test('may do what it likes with its own, and read what it likes', async () => {
    await using two = await openTwo();
    const own = await createPluginTables<Tables>(two.database, dice, [
      throws,
      `create table odd (n integer primary key autoincrement, other integer references odd);
       create virtual table dice_found using fts5 (text);
       insert into dice_found select card from cards_hands;
       create trigger dice_odd after insert on dice_throws begin insert into dice_found values (new.thrown); end;
       create view dice_all as select * from dice_throws`,
      `alter table odd rename to dice_odd; create unique index dice_odd_other on dice_odd (other);
       insert into dice_throws values (5); alter table dice_throws add column at text; drop view dice_all;
       alter table dice_found rename to dice_texts; reindex dice_odd; reindex dice_odd_other`,
      `pragma table_info(dice_odd); pragma user_version; pragma defer_foreign_keys = on; savepoint one; release one;
       create virtual table dice_places using rtree (id, least, most); insert into dice_places values (1, 2, 3);
       insert into dice_odd values (1, null); drop table dice_odd; insert into dice_texts (dice_texts) values ('optimize')`,
    ]).open();
    expect(await own.selectFrom('dice_throws').selectAll().execute()).toEqual([{ thrown: 5, at: null }]);
    await expect(
      createPluginTables(two.database, cards, ['', 'drop table dice_texts']).open(),
    ).rejects.toThrow('the table "dice_texts", which belongs to the plugin dice');
  });

  test('may rename what the plugin made before there was this rule, and nothing else', async () => {
    await using two = await openTwo();
    {
      using file = new DatabaseSync(two.database.path);
      file.exec('drop table plugin_objects; alter table dice_throws rename to throws');
    }
    const later = (script: string) => createPluginTables<Tables>(two.database, dice, ['', script]).open();
    await expect(later('drop table messages')).rejects.toThrow(ofHost);
    await expect(later('drop table plugin_versions')).rejects.toThrow(ofHost);
    const own = await later('alter table throws rename to dice_throws');
    expect(await own.selectFrom('dice_throws').selectAll().execute()).toEqual([]);
  });
});

test('a migration that would lock the home leaves it usable, and the call says what to remove', async () => {
  await using home = await createUnusedHome({
    'pegboard.yaml': 'plugins: { dice: { trusted: true } }\n',
    'plugins/dice/plugin.yaml':
      'id: dice\nversion: "1.0.0"\ndescription: x\npacks: { dice: { description: Dice } }\n',
    'plugins/dice/index.ts': `export default { setup: ({ database }) => ({ packs: { dice: [{
      name: 'roll', description: 'Rolls dice', parameters: { type: 'object' },
      async execute() { await database(['pragma user_version = 99']).open(); return '4'; },
    }] } }) };\n`,
  });
  const { stdout, stderr, code } = await pegboard(['call', 'dice.roll', '--yes'], { home: home.path });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('its migration 1 has PRAGMA user_version, but');
  const usage = await pegboard(['usage'], { home: home.path });
  expect(usage).toMatchObject({ code: 0, stderr: expect.stringContaining('No model was used') as string });
});

test('the first turn of a new home stores a memory and writes a file at once', async () => {
  await using model = await startScriptedModel(({ messages }) =>
    messages.some((message) => (message as { role: string }).role === 'tool')
      ? { text: 'both done' }
      : {
          toolCalls: [
            { name: 'memory_store', arguments: { content: 'Ada likes tea' } },
            { name: 'WsWrite', arguments: { path: 'tea.md', content: 'Earl Grey' } },
          ],
        },
  );
  await using home = await createUnusedHome({ 'pegboard.yaml': configFor(model) });
  expect(await pegboard(['chat', 'remember it'], { home: home.path })).toMatchObject({
    code: 0,
    stdout: 'both done\n',
    stderr: expect.not.stringContaining('PEG_') as string,
  });
  expect(await readFile(join(home.path, 'workspace/tea.md'), 'utf8')).toBe('Earl Grey');
});

test('before tables of a plugin are migrated, the database is copied, and an error names the copy', async () => {
  await using home = await createUnusedHome();
  const open = async (...more: readonly string[]): Promise<void> => {
    await using database = createDatabase(join(home.path, 'data/pegboard.db'));
    await createPluginTables<Tables>(database, dice, [throws, ...more]).open();
  };
  await open();
  expect(existsSync(join(home.path, 'data/backups'))).toBe(false);
  const copy = join(home.path, `data/backups/pegboard-version-${newestOf(sqliteMigrations)}-dice-1.db`);
  await expect(open('alter table dice_throws rename column nonsense to x')).rejects.toMatchObject({
    code: 'PEG_DATABASE',
    message: expect.stringContaining(`Nothing was changed, and a copy is in ${copy}.`) as string,
  });
  await open('alter table dice_throws rename column thrown to eyes');
  using file = new DatabaseSync(copy, { readOnly: true });
  expect(file.prepare('select thrown from dice_throws').all()).toEqual([]);
});
