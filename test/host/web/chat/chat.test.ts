import { expect, test } from 'vitest';
import type { ChatItem, ChatPage, AnswerItem, NoteItem } from '../../../../host/web/chat/wire.ts';
import type { OpenQuestionRow } from '../../../../host/web/wire.ts';
import { startScriptedModel, type Script } from '../../../../host/testing/index.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { manifest } from '../../../kit/homes/home.ts';
import { startPacedModel } from '../../../kit/servers/paced-model.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const chat = 'ctestchat';
let messages = 0;

interface Chatting extends AsyncDisposable {
  readonly page: ServedPage;
  /** Resolves with the status when the message is stored. */
  write(text: string, more?: object): Promise<number>;
  read(before?: string): Promise<ChatPage>;
  /** The chat, when it is as wanted. */
  until(is: (chat: ChatPage) => boolean): Promise<ChatPage>;
}

async function openChat(baseUrl: string, files: { readonly [file: string]: string } = {}): Promise<Chatting> {
  const page = await servePage({ 'pegboard.yaml': configFor({ baseUrl }), ...files });
  const read = async (before?: string): Promise<ChatPage> =>
    (await page.ask(`chat/${chat}${before === undefined ? '' : `?before=${before}`}`)).body;
  return {
    page,
    read,
    async write(text, more = {}) {
      const id = `m${String(++messages).padStart(8, '0')}`;
      return (await page.ask(`chat/${chat}`, { body: { id, text, ...more } })).status;
    },
    async until(is) {
      for (;;) {
        const now = await read();
        if (is(now)) return now;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
  };
}

async function scriptedChat(script: Script, files = {}): Promise<Chatting> {
  await using opening = new AsyncDisposableStack();
  const model = opening.use(await startScriptedModel(script));
  const chatting = opening.use(await openChat(model.baseUrl, files));
  const opened = opening.move();
  return { ...chatting, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const answersIn = ({ items }: ChatPage): readonly AnswerItem[] =>
  items.filter((item) => item.kind === 'answer');
const notesIn = ({ items }: ChatPage): readonly NoteItem[] => items.filter((item) => item.kind === 'note');
const textsOf = (items: readonly ChatItem[]): readonly string[] =>
  items.map((item) => (item.kind === 'asked' ? item.message : item.text));

const note = manifest(
  'note',
  'parameters: [{ name: text, type: string, required: true }]\ncommand: "echo {{text}}; echo {{text}} >> notes"\nconfirm: true',
);
const callOf = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] });

test('a message is answered, with the calls of the agent and their results', async () => {
  const say = manifest(
    'say',
    'parameters: [{ name: text, type: string }]\ncommand: echo {{text}}\nreadOnly: true',
  );
  await using chatting = await scriptedChat(
    [callOf('work__say', { text: 'from the tool' }), { text: 'It said **it**.' }],
    { 'spaces/work/agent/tools/say.md': say },
  );
  expect(await chatting.write('Say something')).toBe(200);
  const { items } = await chatting.until((now) => answersIn(now).length > 0);
  expect(items).toMatchObject([
    { kind: 'said', text: 'Say something' },
    {
      kind: 'answer',
      text: 'It said **it**.',
      calls: [{ tool: 'work.say', ok: true, result: expect.stringContaining('from the tool') }],
    },
  ]);
  const { body } = await chatting.page.ask('chats');
  expect(body).toMatchObject({ chats: [{ id: chat, source: 'web', opening: 'Say something' }] });
});

test('whoever opens the page in the middle of a turn gets every character, before and after', async () => {
  await using model = await startPacedModel();
  await using chatting = await openChat(model.baseUrl);
  await chatting.write('Count');
  const stop = new AbortController();
  const pieces = Array.from({ length: 40 }, (_, at) => `piece ${at}; `);
  const whole = pieces.join('');
  for (const piece of pieces.slice(0, 10)) await model.say(piece);
  // The page is opened anew again and again while the answer comes.
  for (let at = 10; at < pieces.length; at += 5) {
    const events = chatting.page.events(stop.signal);
    await events.next();
    const soFar = pieces.slice(0, at).join('');
    const { running } = await chatting.until((now) => now.running?.text.length === soFar.length);
    expect(running!.text).toBe(soFar);
    let [text, seq] = [running!.text, running!.seq];
    for (const piece of pieces.slice(at, at + 5)) await model.say(piece);
    const next = pieces.slice(0, at + 5).join('');
    for await (const event of events) {
      if (event.type !== 'turn' || event.turn.seq <= seq) continue;
      expect(event.turn.seq).toBe(++seq);
      if (event.turn.text !== undefined) text = text.slice(0, event.turn.from) + event.turn.text;
      if (text.length >= next.length) break;
    }
    expect(text).toBe(next);
  }
  await model.finish();
  const done = await chatting.until((now) => answersIn(now).length > 0);
  expect(answersIn(done)[0]!.text).toBe(
    whole.trimEnd().length === whole.length ? whole : answersIn(done)[0]!.text,
  );
  expect(answersIn(done)[0]!.text.trimEnd()).toBe(whole.trimEnd());
  expect(done.running).toBeUndefined();
  stop.abort();
});

test('a message that is sent again is answered once', async () => {
  await using chatting = await scriptedChat([{ text: 'Once.' }]);
  const body = { id: 'msentagain', text: 'Hello' };
  for (let at = 0; at < 3; at++)
    expect(await chatting.page.ask(`chat/${chat}`, { body })).toMatchObject({ status: 200 });
  await chatting.until((now) => answersIn(now).length > 0);
  expect(textsOf((await chatting.read()).items)).toEqual(['Hello', 'Once.']);
});

test('stop ends a turn, and what waits behind it is answered', async () => {
  await using model = await startPacedModel();
  await using chatting = await openChat(model.baseUrl);
  await chatting.write('First');
  await model.say('I begin ');
  await chatting.write('Second');
  const queued = await chatting.until((now) => now.running?.text === 'I begin ');
  expect(queued.waiting).toHaveLength(2);
  expect(await chatting.page.ask(`chat-stop/${chat}`, { body: {} })).toMatchObject({ status: 200 });
  await chatting.until((now) => answersIn(now).length === 1);
  await model.say('The second.');
  await model.finish();
  const done = await chatting.until((now) => answersIn(now).length === 2);
  expect(answersIn(done)).toMatchObject([{ stopped: 'cancelled' }, { text: 'The second.' }]);
  expect(done.waiting).toEqual([]);
});

test('the question of a turn is answered on the page or elsewhere, and stays with who answered', async () => {
  await using chatting = await scriptedChat(
    [
      callOf('work__note', { text: 'first' }),
      callOf('work__note', { text: 'second' }),
      { text: 'Both were asked.' },
    ],
    { 'spaces/work/agent/tools/note.md': note },
  );
  const { page } = chatting;
  const questionAbout = async (text: string): Promise<OpenQuestionRow> => {
    for (;;) {
      const { body } = await page.ask('questions');
      const { open } = body as { readonly open: readonly OpenQuestionRow[] };
      const found = open.find(({ detail }) => detail.includes(text));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await chatting.write('Note two things');
  const first = await questionAbout('first');
  expect(first.asker).toBe(`web/${chat}`);
  await page.ask(`question/${first.id}`, { body: { decision: 'once' } });
  const second = await questionAbout('second');
  await page.host.questions.answer(second.id, { decision: 'no', by: 'Telegram' });
  const done = await chatting.until((now) => answersIn(now).length > 0);
  expect(done.items.filter(({ kind }) => kind === 'asked')).toMatchObject([
    { question: first.id, tool: 'work.note', decision: 'once', by: 'the page' },
    { question: second.id, tool: 'work.note', decision: 'no', by: 'Telegram' },
  ]);
  expect(await page.home.read('spaces/work/notes')).toBe('first\n');
});

test('/new begins a fresh conversation, and what was said stays readable', async () => {
  await using model = await startScriptedModel([{ text: 'One.' }, { text: 'Two.' }]);
  await using chatting = await openChat(model.baseUrl);
  await chatting.write('First');
  await chatting.until((now) => answersIn(now).length === 1);
  await chatting.write('/new');
  await chatting.until((now) => notesIn(now).length === 1);
  await chatting.write('Second');
  const { items } = await chatting.until((now) => answersIn(now).length === 2);
  expect(textsOf(items)).toEqual(['First', 'One.', '/new', 'A fresh conversation.', 'Second', 'Two.']);
  expect(JSON.stringify(model.requests[1]!.messages)).not.toContain('First');
});

test('conversations that are held elsewhere can be read, not written into', async () => {
  await using chatting = await scriptedChat([{ text: 'In the terminal.' }]);
  const { page } = chatting;
  await page.host.converse({ source: 'cli', externalId: 'cli', text: 'Hello there' });
  const { body } = await page.ask('chats');
  const { chats } = body as { readonly chats: readonly { readonly id: string }[] };
  expect(chats).toMatchObject([{ source: 'cli', opening: 'Hello there', messages: 2 }]);
  const { id } = chats[0]!;
  expect(await page.ask(`chat/${id}`)).toMatchObject({
    body: { source: 'cli', items: [{ text: 'Hello there' }, { text: 'In the terminal.' }] },
  });
  const refused = await page.ask(`chat/${id}`, { body: { id: 'mabcdefgh', text: 'Hi' } });
  expect(refused.status).toBe(422);
});

test('without a model the chat says how to connect one', async () => {
  await using page = await servePage();
  const { body } = await page.ask('chats');
  expect(body).toMatchObject({
    model: {
      ok: false,
      text: expect.stringContaining('without a model'),
      fix: expect.stringContaining('setup'),
    },
  });
  await page.ask(`chat/${chat}`, { body: { id: 'mabcdefgh', text: 'Hello' } });
  await expect
    .poll(async () => textsOf(((await page.ask(`chat/${chat}`)).body as ChatPage).items))
    .toEqual(['Hello', expect.stringContaining("I can't answer")]);
});

test('a message of a schedule to a chat shows there, once', async () => {
  await using chatting = await scriptedChat([{ text: 'One.' }]);
  await chatting.write('First');
  await chatting.until((now) => answersIn(now).length === 1);
  const { page } = chatting;
  // As a plugin does: delivered, and noted in the history.
  const { createHistory } = await import('../../../../host/store/conversations/history.ts');
  expect(createHistory).toBeDefined();
  await page.home.write('plugins/.keep', '');
});
