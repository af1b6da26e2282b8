import type { Host } from '../../../../host/host.ts';
import { expect, test, vi } from 'vitest';
import { pendingIn } from '../../../../host/approvals/pending-in-host.ts';
import type { ChatPage } from '../../../../plugins/builtin-page/chat/wire.ts';
import type { OpenQuestionRow } from '../../../../plugins/builtin-page/wire.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { createHost } from '../../../../host/create-host.ts';
import type { Clock } from '../../../../host/api/surroundings.ts';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { startPacedModel } from '../../../kit/servers/paced-model.ts';
import { answersIn, notesIn, openChat, scriptedChat, textsOf } from '../../../kit/web/open-chat.ts';
import { servePage } from '../../../kit/web/served-page.ts';
import { PageChats } from '../../../../plugins/builtin-page/channel/page-chats.ts';

const chatsOf = (host: Host) => host.plugins.use(PageChats)((chats) => chats.open());

const chat = 'ctestchat';
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

test('an answer that is stored before the message it answers stands after it', async () => {
  await using chatting = await scriptedChat([{ text: 'At once.' }]);
  const { messages } = await chatsOf(chatting.page.host);
  const add = vi.spyOn(messages, 'add');
  add.mockImplementationOnce(async (message) => {
    await chatting.until((now) => answersIn(now).length > 0);
    await messages.add(message);
  });
  await chatting.write('Hello');
  expect(textsOf((await chatting.read()).items)).toEqual(['Hello', 'At once.']);
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
  const done = await chatting.until((now) => answersIn(now).length === 2 && now.waiting.length === 0);
  expect(answersIn(done)).toMatchObject([{ stopped: 'cancelled' }, { text: 'The second.' }]);
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
  // The page doesn't vouch for itself.
  await chatting.write('/code');
  const { items: after } = await chatting.until((now) =>
    textsOf(now.items).at(-1)!.startsWith('Only the owner'),
  );
  expect(textsOf(after).at(-1)).toBe('Only the owner gets a code, in a private chat away from the page.');
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

test('a chat that is stopped at any step of its start ends', async () => {
  await using home = await createHome();
  let takesTime = (): void => {};
  const { clock, ...surroundings } = processSurroundings();
  const watched: Clock = {
    ...clock,
    monotonic() {
      takesTime();
      return clock.monotonic();
    },
  };
  await using host = await createHost({ home: home.path, surroundings: { ...surroundings, clock: watched } });
  const chats = await chatsOf(host);
  // Each of its three steps takes the time first.
  for (const stopAt of [1, 2, 3]) {
    const stopped = Promise.withResolvers<void>();
    let step = 0;
    const chat = chats.serve(() => false, false);
    takesTime = () => {
      if (++step === stopAt) queueMicrotask(() => stopped.resolve(chat[Symbol.asyncDispose]()));
    };
    await stopped.promise;
  }
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

test('what an agent sends shows once: files byte for byte, and choices to press', async () => {
  await using chatting = await scriptedChat(
    [
      callOf('channel_send', { text: 'Which one?', file: 'spaces/work/data.bin', buttons: ['Red', 'Blue'] }),
      { text: 'I asked.' },
      { text: 'Blue it is.' },
    ],
    {
      'spaces/work/data.bin': 'a\u0000b',
      'spaces/work/space.manifest.json': '{"name":"Work","description":"x"}',
    },
  );
  await chatting.write('Ask me');
  const { page } = chatting;
  const asked = await chatting.until((now) => answersIn(now).length === 1 && notesIn(now).length === 2);
  const choice = notesIn(asked).find(({ buttons }) => buttons !== undefined)!;
  expect(choice.text).toBe('Which one?');
  expect(choice.buttons!.map(({ label }) => label)).toEqual(['Red', 'Blue']);
  const [file] = notesIn(asked).flatMap(({ files }) => files);
  expect(file).toMatchObject({ name: 'data.bin', bytes: 3 });
  const blue = choice.buttons!.find(({ label }) => label === 'Blue')!;
  for (let at = 0; at < 2; at++)
    await page.ask(`chat-press/${chat}`, { body: { message: choice.id, data: blue.data } });
  const done = await chatting.until((now) => answersIn(now).length === 2);
  expect(textsOf(done.items).filter((text) => text === 'Blue')).toHaveLength(1);
  expect(answersIn(done)[1]!.text).toBe('Blue it is.');
});

test('a question that is no approval is asked in the chat, and answered there', async () => {
  await using chatting = await scriptedChat([callOf('pick', {}), { text: 'Thank you.' }], {
    'plugins/picker/plugin.yaml':
      'id: picker\nversion: "1.0.0"\ndescription: Asks\npacks: { picker: { description: Asks, alwaysLoad: true } }\n',
    'plugins/picker/index.ts': `
      import { definePlugin, defineTool } from 'pegboard';
      export default definePlugin({ setup: () => ({ packs: { picker: [defineTool({
        name: 'pick', description: 'Asks for a colour', parameters: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        async execute(_args, call) {
          const schema = { type: 'object', properties: { answer: { type: 'string', enum: ['Red', 'Blue'] } }, required: ['answer'] };
          return JSON.stringify((await call.ask({ message: 'Which colour?', schema }, call.signal)).content ?? {});
        },
      })] } }) });`,
  });
  const { page } = chatting;
  await page.host.plugins.reload();
  for (const pending of pendingIn(page.host)) await pending.review().approve();
  await expect.poll(() => page.host.registry.snapshot.find('pick') !== undefined).toBe(true);
  await chatting.write('Ask me');
  const openQuestions = async () =>
    ((await page.ask('questions')).body as { readonly open: readonly OpenQuestionRow[] }).open;
  await expect.poll(async () => (await openQuestions()).length, { timeout: 50_000 }).toBe(1);
  const [question] = await openQuestions();
  expect(question).toMatchObject({ kind: 'form', asker: `web/${chat}`, message: 'Which colour?' });
  await page.ask(`question/${question!.id}`, { body: { decision: 'answered', content: { answer: 'Blue' } } });
  const done = await chatting.until((now) => answersIn(now).length === 1);
  expect(answersIn(done)[0]!.calls).toMatchObject([{ ok: true, result: expect.stringContaining('Blue') }]);
  expect(done.items).toContainEqual(
    expect.objectContaining({
      kind: 'asked',
      message: 'Which colour?',
      decision: 'answered',
      by: 'the page',
    }),
  );
});
