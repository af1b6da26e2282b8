import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { createSessions } from '../../../../host/store/conversations/sessions.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { databaseOf, isOnPostgres } from '../../../kit/database.ts';

const cli = { source: 'cli', externalId: 'cli' };
const fixture = (name: string): string => join(import.meta.dirname, '../fixtures', name);

async function createStore() {
  const home = await createHome();
  const database = databaseOf(home);
  return {
    home: home.path,
    database,
    conversations: createConversations(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test('a conversation is the same for the same key, and another one for another key', async () => {
  await using store = await createStore();
  const { conversations } = store;
  const { id } = await conversations.getOrCreate(cli);
  expect((await conversations.getOrCreate(cli)).id).toBe(id);
  expect((await conversations.getOrCreate({ source: 'telegram', externalId: 'cli' })).id).not.toBe(id);
  expect((await conversations.getOrCreate({ source: 'cli', externalId: 'other' })).id).not.toBe(id);
});

test('a turn is read back as it was: texts, attachments, calls and why it ended', async () => {
  await using store = await createStore();
  const { conversations } = store;
  const { id } = await conversations.getOrCreate(cli);
  const attachments = [{ type: 'image', data: 'iVBORw0=', mimeType: 'image/png' }] as const;
  const call = {
    id: 'c1',
    tool: 'example.look',
    args: { at: [1, { deep: null }] },
    result: 'a cat',
    ok: true,
    ms: 1.5,
  };
  const failed = { ...call, id: 'c2', args: undefined, result: 'no such file', ok: false };
  await using turn = await conversations.openTurn(id, {
    text: "what's this? '; drop table messages; --",
    agent: 'example',
    attachments,
    externalMessageId: '77',
  });
  await turn.recordCall({ call, round: 1 });
  await turn.recordCall({ call: failed, round: 1 });
  await turn.finish('A cat 🐈', 'It took too many rounds.');

  expect(await conversations.recent(id, 20)).toEqual([
    {
      id: turn.userMessageId,
      role: 'user',
      text: "what's this? '; drop table messages; --",
      attachments,
      externalMessageId: '77',
      agent: 'example',
      state: 'done',
      untrusted: [],
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      toolCalls: [],
    },
    {
      id: turn.messageId,
      role: 'assistant',
      text: 'A cat 🐈',
      attachments: [],
      agent: 'example',
      state: 'done',
      stopped: 'It took too many rounds.',
      untrusted: [],
      at: expect.stringMatching(/Z$/),
      toolCalls: [call, { ...failed, args: null }],
    },
  ]);
});

test('recent gives the last messages, oldest first, and after those that follow one', async () => {
  await using store = await createStore();
  const { conversations } = store;
  const { id } = await conversations.getOrCreate(cli);
  const answers: number[] = [];
  for (const n of [1, 2, 3]) {
    await using turn = await conversations.openTurn(id, { text: `q${n}`, agent: 'a' });
    await turn.finish(`a${n}`);
    answers.push(turn.messageId);
  }
  const texts = (messages: readonly { readonly text: string }[]): string[] =>
    messages.map(({ text }) => text);
  expect(texts(await conversations.recent(id, 3))).toEqual(['a2', 'q3', 'a3']);
  expect(texts(await conversations.recent(id, 2, answers[1]))).toEqual(['a1', 'q2']);
  expect(texts(await conversations.after(id, answers[0]!))).toEqual(['q2', 'a2', 'q3', 'a3']);
  expect(await conversations.after(id, answers[2]!)).toEqual([]);
});

test('an answer that is being worked on is not part of what was said', async () => {
  await using store = await createStore();
  const { conversations } = store;
  const { id } = await conversations.getOrCreate(cli);
  await using turn = await conversations.openTurn(id, { text: 'q', agent: 'a' });
  expect((await conversations.recent(id, 20)).map(({ role }) => role)).toEqual(['user']);
  // Another turn that starts meanwhile doesn't change it.
  await conversations.getOrCreate(cli);
  await turn.finish('a');
  expect((await conversations.recent(id, 20)).at(-1)).toMatchObject({ text: 'a', state: 'done' });
});

test('a turn that nobody finished is marked as interrupted, with the reason if there is one', async () => {
  await using store = await createStore();
  const { conversations } = store;
  const { id } = await conversations.getOrCreate(cli);
  {
    await using _left = await conversations.openTurn(id, { text: 'q1', agent: 'a' });
  }
  {
    await using turn = await conversations.openTurn(id, { text: 'q2', agent: 'a' });
    await turn.interrupt('The model is not available.');
  }
  const answers = (await conversations.recent(id, 20)).filter(({ role }) => role === 'assistant');
  expect(answers).toMatchObject([
    { state: 'interrupted', text: '' },
    { state: 'interrupted', stopped: 'The model is not available.' },
  ]);
});

test('/new begins an empty conversation, and the history keeps the one before', async () => {
  await using store = await createStore();
  const { conversations } = store;
  const before = await conversations.getOrCreate(cli);
  {
    await using turn = await conversations.openTurn(before.id, { text: 'hello', agent: 'a' });
    await turn.finish('hi');
  }
  const next = await conversations.startNew(cli);
  expect(next.id).not.toBe(before.id);
  expect((await conversations.getOrCreate(cli)).id).toBe(next.id);
  expect(await conversations.recent(next.id, 20)).toEqual([]);
  {
    await using turn = await conversations.openTurn(next.id, { text: 'again', agent: 'a' });
    await turn.finish('yes');
  }
  const telegram = await conversations.getOrCreate({ source: 'telegram', externalId: '5' });
  {
    await using turn = await conversations.openTurn(telegram.id, { text: 'from afar', agent: 'a' });
    await turn.finish('yes');
  }
  const sessions = createSessions(store.database);
  const history = await sessions.list({ source: 'cli' });
  expect(history.map(({ id, title, isOpen, messages }) => ({ id, title, isOpen, messages }))).toEqual([
    { id: next.id, title: 'again', isOpen: true, messages: 2 },
    { id: before.id, title: 'hello', isOpen: false, messages: 2 },
  ]);
  expect(await sessions.list({ limit: 1 })).toMatchObject([{ source: 'telegram', externalId: '5' }]);
});

test('after kill -9 in the middle of a turn the message and the finished calls are there, marked as interrupted', async () => {
  await using store = await createStore();
  const child = fork(fixture('interrupted-turn.ts'), [store.home]);
  await once(child, 'message');
  const { conversations } = store;
  const { id } = await conversations.getOrCreate(cli);
  expect((await conversations.recent(id, 20)).map(({ text }) => text)).toEqual(['deploy it']);
  child.kill('SIGKILL');
  await once(child, 'exit');

  expect((await conversations.getOrCreate(cli)).id).toBe(id);
  expect(await conversations.recent(id, 20)).toMatchObject([
    { role: 'user', text: 'deploy it', state: 'done' },
    {
      role: 'assistant',
      text: '',
      state: 'interrupted',
      toolCalls: [{ tool: 'example.build', args: { fast: true }, result: 'built', ok: true }],
    },
  ]);
});

test('kill -9 while writing loses nothing that was reported as stored', async () => {
  await using store = await createStore();
  const child = fork(fixture('write-until-killed.ts'), [store.home]);
  let told = 0;
  child.on('message', (n: number) => {
    told = n;
    if (n === 30) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  expect(told).toBeGreaterThanOrEqual(30);

  const { conversations, database } = store;
  const { id } = await conversations.getOrCreate(cli);
  const messages = await conversations.recent(id, 100_000);
  const answers = messages.filter(({ role }) => role === 'assistant').slice(0, told);
  expect(answers.map(({ text, toolCalls }) => [text, toolCalls[0]?.result])).toEqual(
    Array.from({ length: told }, (_, n) => [`answer ${n + 1}`, `step ${n + 1}`]),
  );
  if (isOnPostgres) return;
  const { sql } = await import('kysely');
  const { rows } = await sql`pragma integrity_check`.execute(await database.open());
  expect(rows).toEqual([{ integrity_check: 'ok' }]);
});

test('processes that begin the same conversation in a new home at once share one', async () => {
  await using store = await createStore();
  const children = [1, 2, 3, 4].map(() => fork(fixture('open-conversation.ts'), [store.home]));
  const ids = await Promise.all(
    children.map(async (child) => ((await once(child, 'message')) as [number])[0]),
  );
  await Promise.all(children.map(async (child) => child.exitCode ?? (await once(child, 'exit'))));
  expect(new Set(ids).size).toBe(1);
});
