import { expect, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { answersIn, scriptedChat } from '../../../kit/web/open-chat.ts';

const messages = 5_000;
/** Of them, answers with a result of a megabyte; all of them would be five gigabytes. */
const large = 120;

test('a chat of 5,000 messages with results of a megabyte is read in pages that stay small, and whole', async () => {
  await using chatting = await scriptedChat([{ text: 'The last.' }]);
  await chatting.write('The first');
  await chatting.until((now) => answersIn(now).length === 1);
  fill(join(chatting.page.home.path, 'data/pegboard.db'));
  const newest = await chatting.page.ask('chat/ctestchat');
  expect(JSON.stringify(newest.body).length).toBeLessThan(1_000_000);
  const seen: string[] = [];
  let page = await chatting.read();
  for (;;) {
    expect(page.items.length).toBeLessThanOrEqual(80);
    seen.unshift(...page.items.map(({ key }) => key));
    if (page.earlier === undefined) break;
    page = await chatting.read(page.earlier);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(messages + 2);
  const [call] = answersIn(await chatting.read()).flatMap(({ calls }) => calls);
  expect(call).toMatchObject({ isCut: true, result: 'x'.repeat(2_000) });
  const { body } = await chatting.page.ask(`chat-result/${call!.id}`);
  expect((body as { readonly text: string }).text).toHaveLength(1_000_000);
});

/** As if they had been written and answered one after the other. */
function fill(path: string): void {
  using database = new DatabaseSync(path);
  database.exec('begin');
  const said = database.prepare(
    "insert into page_messages (chat, key, own, text, at, version) values ('ctestchat', ?, 0, 'Hello', ?, 1000000)",
  );
  const answered = database.prepare(
    "insert into messages (conversation_id, role, text, agent, state, created_at) values (1, 'assistant', 'Hello yourself', 'pegboard', 'done', ?)",
  );
  const called = database.prepare(
    "insert into tool_calls (message_id, call_id, tool, args, result, ok, ms, ended) values (?, 'c', 'work.big', '{}', ?, 1, 5, 1)",
  );
  const result = 'x'.repeat(1_000_000);
  for (let at = 0; at < messages / 2; at++) {
    const time = new Date(Date.now() + at * 1_000).toISOString();
    said.run(`mfilled${at}`, time);
    const { lastInsertRowid } = answered.run(time);
    if (at >= messages / 2 - large) called.run(lastInsertRowid, result);
  }
  database.exec('commit');
}
