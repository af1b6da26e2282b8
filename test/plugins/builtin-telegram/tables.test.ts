import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { createDatabase } from '../../../host/store/database/database.ts';
import { createPluginTables } from '../../../host/store/database/plugin-tables.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';
import { migrations } from '../../../plugins/builtin-telegram/tables.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { anna, ben, startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { environmentOf, saysIn } from './bot-home.ts';

/** The tables from the time when Telegram had its own. */
async function openOldTables(home: TestHome): Promise<DatabaseSync> {
  const path = join(home.path, 'data/pegboard.db');
  await using database = createDatabase(path);
  await createPluginTables(
    database,
    { plugin: 'builtin-telegram', prefixes: ['telegram_'] },
    migrations,
  ).open();
  return new DatabaseSync(path);
}

test('what waited in the tables that Telegram had to itself is answered, and who was paired still is', async () => {
  await using telegram = await startFakeBotApi();
  await using model = await startScriptedModel([{ text: 'answered at last' }]);
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  const [bot, updateId] = [123456, 700_000_123];
  const update = {
    update_id: updateId,
    message: {
      message_id: telegram.write(anna, 'are you there?'),
      date: 1,
      from: ben,
      chat: { id: ben.id, type: 'private', first_name: 'Ben' },
      text: 'are you there?',
    },
  };
  telegram.write(ben, 'so that the chat exists');
  const parts = [
    { kind: 'react', message: 1, emoji: '👍' },
    { kind: 'text', html: '<b>half</b>', plain: 'half', replyTo: 1 },
    { kind: 'photo', name: 'a.png', data: 'aGFsZg==' },
  ];
  {
    using old = await openOldTables(home);
    const insert = old.prepare(
      'insert into telegram_updates (bot, id, conversation, body, received_at, state, parts, sent) values (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const now = new Date().toISOString();
    insert.run(bot, updateId, String(ben.id), JSON.stringify(update), now, 'new', null, 0);
    const answered = { ...update, update_id: updateId + 1 };
    insert.run(bot, updateId + 1, '5', JSON.stringify(answered), now, 'answered', JSON.stringify(parts), 0);
    insert.run(bot + 1, updateId, '5', '{}', now, 'done', null, 0);
    old.prepare('insert into telegram_users values (?, ?, ?)').run(ben.id, 'Ben', now);
    old
      .prepare('insert into telegram_messages values (?, ?, ?, ?, ?, ?)')
      .run(ben.id, 7, 1, 'a joke', now, null);
  }
  await using host = await createHost({ home: home.path, environment: environmentOf(telegram) });
  await host.plugins.startServices();
  await saysIn(telegram, ben.id, 'answered at last');
  const half = await saysIn(telegram, ben.id, 'half');
  expect(half.entities).toEqual([{ tag: 'b', text: 'half' }]);
  await telegram.until(() => telegram.sentTo(ben.id).find(({ file }) => file?.kind === 'photo'));

  using database = new DatabaseSync(join(home.path, 'data/pegboard.db'), { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where name like 'telegram%'").all();
  expect(tables).toEqual([]);
  const events = database.prepare(
    'select id, account, event from channel_events where id >= 700000000 order by id limit 3',
  );
  expect(events.all()).toMatchObject([
    { id: updateId, account: String(bot), event: String(updateId) },
    { id: updateId + 1, account: String(bot), event: String(updateId + 1) },
    { account: String(bot + 1), event: String(updateId) },
  ]);
  expect(database.prepare('select chat, id, own, text from channel_messages where id = ?').get('7')).toEqual({
    chat: String(ben.id),
    id: '7',
    own: 1,
    text: 'a joke',
  });
});
