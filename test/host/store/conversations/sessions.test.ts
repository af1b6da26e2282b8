import { expect, test } from 'vitest';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { createSessions } from '../../../../host/store/conversations/sessions.ts';
import { databaseOf } from '../../../kit/database.ts';
import { createHome } from '../../../kit/homes/home.ts';

const cli = { source: 'cli', externalId: 'cli' };
const chat = { source: 'telegram', externalId: '5' };

async function openStore() {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await createHome());
  const database = opened.use(databaseOf(home));
  const conversations = createConversations(database);
  const sessions = createSessions(database);
  const owned = opened.move();
  return {
    conversations,
    sessions,
    /** Says something in the open conversation of a key; returns the ids of the message and its answer. */
    say: async (key: typeof cli, text: string, externalMessageId?: string) => {
      const { id } = await conversations.getOrCreate(key);
      await using turn = await conversations.openTurn(id, { text, agent: 'a', externalMessageId });
      await turn.finish(`you said: ${text}`);
      return { id, said: turn.userMessageId, answer: turn.messageId };
    },
    texts: async (id: number) => (await conversations.after(id, 0)).map(({ text }) => text),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('conversations are listed newest first, found by words of title and messages, and called by their first line', async () => {
  await using store = await openStore();
  const { sessions, conversations, say } = store;
  expect(await sessions.list()).toEqual([]);
  expect(await sessions.current(cli)).toBeUndefined();
  const first = await say(cli, `Plan   100% of the holiday\nwith the children ${'x'.repeat(90)}`);
  await conversations.startNew(cli);
  const second = await say(cli, 'y'.repeat(200));
  const third = await say(chat, 'What is for lunch?');
  await conversations.startNew(chat);
  const all = await sessions.list();
  expect(all.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
  expect(all.map(({ title }) => title)).toEqual([
    'What is for lunch?',
    `${'y'.repeat(79)}…`,
    'Plan 100% of the holiday',
  ]);
  expect(all[2]).toMatchObject({ ...cli, messages: 2, isOpen: false });
  expect(all[2]!.parent).toBeUndefined();
  expect(await sessions.list({ source: 'cli', limit: 1 })).toMatchObject([{ id: second.id, isOpen: true }]);
  expect(await sessions.list({ key: chat })).toMatchObject([{ id: third.id }]);
  // What is open in the chat has no message yet.
  expect(await sessions.current(chat)).toMatchObject({ messages: 0, title: 'No messages yet' });
  await sessions.rename(second.id, ' \u001b[31mLunch,\u2066 again\u0000\n\u202e');
  const saying = async (words: string) => (await sessions.list({ words })).map(({ id }) => id);
  expect(await saying('LUNCH')).toEqual([third.id, second.id]);
  expect(await saying('the children')).toEqual([first.id]);
  expect(await saying('100%')).toEqual([first.id]);
  expect(await saying('1_0%')).toEqual([]);
  expect(await sessions.find(second.id)).toMatchObject({ title: 'Lunch, again' });
  expect(await sessions.find(999)).toBeUndefined();
});

test('an ended conversation is opened again, and the one that was open ends', async () => {
  await using store = await openStore();
  const { sessions, conversations, say } = store;
  const first = await say(cli, 'first');
  await conversations.startNew(cli);
  const second = await say(cli, 'second');
  await sessions.reopen(first.id);
  expect((await conversations.getOrCreate(cli)).id).toBe(first.id);
  expect(await sessions.find(second.id)).toMatchObject({ isOpen: false });
  expect((await say(cli, 'third')).id).toBe(first.id);
});

test('a branch has the messages up to its beginning, and neither side sees what the other says later', async () => {
  await using store = await openStore();
  const { sessions, conversations, say, texts } = store;
  const first = await say(chat, 'first', '71');
  const second = await say(chat, 'second', '72');
  const from = { title: 'first', summary: { until: 0, untrusted: [] } };
  const branch = await sessions.branch(cli, { ...from, parent: first.id, until: first.answer });
  expect((await conversations.getOrCreate(cli)).id).toBe(branch);
  expect(await texts(branch)).toEqual(['first', 'you said: first']);
  await say(cli, 'in the branch');
  await say(chat, 'third');
  expect(await texts(branch)).toEqual([
    'first',
    'you said: first',
    'in the branch',
    'you said: in the branch',
  ]);
  expect(await texts(first.id)).toHaveLength(6);
  expect((await conversations.recent(branch, 3)).map(({ text }) => text)[0]).toBe('you said: first');
  // The ids of messages in another chat mean nothing here.
  const own = await conversations.recent(first.id, 6);
  expect(own[0]).toMatchObject({ externalMessageId: '71' });
  expect((await conversations.recent(branch, 4))[0]!.externalMessageId).toBeUndefined();
  expect(await sessions.find(branch)).toMatchObject({ title: 'first', parent: first.id, messages: 2 });

  // A branch of the branch, from before it began.
  const earliest = await sessions.branch(cli, { ...from, parent: branch, until: first.said });
  expect(await texts(earliest)).toEqual(['first']);
  expect(await sessions.find(branch)).toMatchObject({ isOpen: false });
  expect(second.id).toBe(first.id);
});

test('a summary stands for the messages up to one, which are all kept', async () => {
  await using store = await openStore();
  const { conversations, say, texts } = store;
  const { id, answer } = await say(cli, 'first');
  expect(await conversations.summary(id)).toBeUndefined();
  const untrusted = [{ kind: 'web', what: 'example.com' }] as const;
  await conversations.summarize(id, { text: 'They greeted.', until: answer, untrusted });
  expect(await conversations.summary(id)).toEqual({
    text: 'They greeted.',
    until: answer,
    untrusted,
    inheritedUntil: 0,
  });
  expect(await texts(id)).toHaveLength(2);
});
