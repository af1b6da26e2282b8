import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer, Ask, Question } from '../../../host/api/ask.ts';
import type { OpenQuestion } from '../../../host/api/questions.ts';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { askElsewhere } from '../../../host/dispatch/ask-elsewhere.ts';
import type { AskOthers } from '../../../host/dispatch/ask-everywhere.ts';
import { toInnerRequest } from '../../../host/dispatch/inner-call.ts';
import type { Database } from '../../../host/store/database/database.ts';
import { createQuestions, type StoredQuestions } from '../../../host/store/owner/questions.ts';
import { kernel } from '../../kit/dispatch.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { echoTool } from '../../kit/source.ts';
import { databaseOf } from '../../kit/database.ts';

let home: TestHome;
let databases: Database[];
/** Stores of the host, and of another process. */
let here: StoredQuestions;
let there: StoredQuestions;
let answers: Answer[];

const key = 'sk-a-secret-of-this-home';
const redact = (text: string): string => text.replaceAll(key, '[REDACTED]');

beforeEach(async () => {
  home = await createHome();
  databases = [0, 1].map(() => databaseOf(home, { redact }));
  [here, there] = databases.map((database) => createQuestions(database, { redact })) as [
    StoredQuestions,
    StoredQuestions,
  ];
  answers = [];
});
afterEach(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, count: { type: 'integer' } },
  required: ['city'],
};

/** Calls a tool that asks one question, or calls itself and lets that ask. */
async function open(question: Question = { message: 'Where?', schema }, others: AskOthers = () => []) {
  const tool = echoTool({
    async execute({ inner }: { inner?: boolean }, call): Promise<string | ToolResult> {
      if (inner) return await dispatch(toInnerRequest(call, 'echo', {}));
      answers.push(await call.ask(question, call.signal));
      return 'asked';
    },
  });
  const { call, dispatch } = await kernel([tool], { elsewhere: { questions: here, others } });
  return (request: Partial<CallRequest> = {}, args: object = {}): Promise<ToolResult> =>
    call('echo', args, request);
}

const waits: Ask = (_question, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
const waiting = (): Promise<OpenQuestion> =>
  vi.waitFor(
    async () => {
      const [question] = await there.list();
      expect(question).toBeDefined();
      return question!;
    },
    { timeout: 50_000 },
  );
const says = (content: object) =>
  ({ decision: 'answered', by: 'the page', content: { ...content } }) as const;

test('a form that is asked in one place is seen and answered in another, and its answer is kept nowhere', async () => {
  const call = await open();
  const running = call({ ask: waits });
  const question = await waiting();
  expect(question).toMatchObject({
    kind: 'form',
    tool: 'memory.echo',
    message: 'Where?',
    schema,
    choices: [],
    unattended: false,
  });
  expect(await there.answer(question.id, says({ city: 'Rome', count: 3 }))).toMatchObject({ counts: true });
  await running;
  expect(answers).toEqual([{ action: 'accept', by: 'the page', content: { city: 'Rome', count: 3 } }]);
  expect(await there.answer(question.id, says({ city: 'Paris' }))).toMatchObject({ counts: false });
  const database = await databases[0]!.open();
  const rows = await database.selectFrom('questions').selectAll().execute();
  expect(rows).toMatchObject([{ asked: null, answer: null, decision: 'answered' }]);
});

test('an inner call asks once, and its question can be answered elsewhere', async () => {
  const call = await open();
  const running = call({ ask: waits }, { inner: true });
  const question = await waiting();
  expect(await there.list()).toHaveLength(1);
  await there.answer(question.id, says({ city: 'Oslo' }));
  await running;
  expect(answers).toMatchObject([{ action: 'accept', content: { city: 'Oslo' } }]);
});

test('an answer given where it is asked is passed on as it is, with what a client sends along', async () => {
  const call = await open();
  const ask: Ask = async () => ({ action: 'accept', content: { city: key }, meta: { trace: 'a' } });
  await call({ ask });
  expect(answers).toEqual([{ action: 'accept', by: 'test', content: { city: key }, meta: { trace: 'a' } }]);
});

test('an answer with a secret in it is refused elsewhere, and the question stays open', async () => {
  const call = await open();
  const running = call({ ask: waits });
  const { id } = await waiting();
  await expect(there.answer(id, says({ city: `my ${key}` }))).rejects.toThrow(
    `The answer to question ${id} (memory.echo) holds the value of a secret`,
  );
  await there.answer(id, { decision: 'no', by: 'the page' });
  await running;
  expect(answers).toEqual([{ action: 'decline', by: 'the page' }]);
});

test('a permission is no answer to a form, and a form is no answer to a permission', async () => {
  const call = await open();
  const running = call({ ask: waits });
  const { id } = await waiting();
  await expect(there.answer(id, { decision: 'once', by: 'x' })).rejects.toThrow('wants an answer');
  await there.answer(id, { decision: 'no', by: 'x' });
  await running;
});

test.each([
  ['nobody can be asked where the call comes from', undefined],
  ['the work is unattended', askElsewhere],
])('without anybody elsewhere the question is over at once when %s', async (_when, ask) => {
  const call = await open();
  await call(ask && { ask });
  expect(answers).toEqual([{ action: 'decline', unasked: true }]);
  expect(await there.list()).toEqual([]);
});

test('while somebody looks at the open questions it waits for them', async () => {
  await there.watch(true);
  const call = await open();
  const running = call();
  const question = await waiting();
  await vi.waitFor(async () => expect(await there.list()).toMatchObject([{ unattended: true }]));
  await there.answer(question.id, says({ city: 'Bern' }));
  await running;
  expect(answers).toMatchObject([{ action: 'accept', content: { city: 'Bern' } }]);
});

test('when nobody looks any more, chats are asked', async () => {
  await there.watch(true);
  const asked: OpenQuestion[] = [];
  const call = await open(undefined, (question) => {
    asked.push(question);
    return [
      Promise.resolve(
        question.unattended ? { action: 'accept', content: { city: 'Lima' }, by: 'a chat' } : undefined,
      ),
    ];
  });
  const running = call();
  await waiting();
  await there.watch(false);
  await running;
  expect(answers).toEqual([{ action: 'accept', by: 'a chat', content: { city: 'Lima' } }]);
  expect(asked.map(({ unattended }) => unattended)).toEqual([false, true]);
});

test('a notification is shown where somebody looks, and not where the call comes from', async () => {
  await there.watch(true);
  let shownHere = 0;
  const call = await open({ kind: 'notification', message: 'Done' });
  const running = call({
    ask: async () => {
      shownHere++;
      return { action: 'accept', content: { shown: 'here' } };
    },
  });
  const { id, kind } = await waiting();
  expect(kind).toBe('notification');
  await there.answer(id, says({ shown: 'on the page' }));
  await running;
  expect(answers).toMatchObject([{ action: 'accept', content: { shown: 'on the page' } }]);
  expect(shownHere).toBe(0);
});
