import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ToolResult } from '../../../host/api/result.ts';
import { openTabs } from '../../../plugins/builtin-page/bridge/tabs.ts';
import type { OpenQuestionRow } from '../../../plugins/builtin-page/wire.ts';
import { textOf } from '../../../host/tools/result.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { surroundingsBy } from '../../kit/surroundings.ts';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';

const clock = createMovedClock({ start: Date.now() });
let page: ServedPage;

beforeAll(async () => {
  page = await servePage({}, undefined, { surroundings: surroundingsBy(clock) });
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
});

const call = (name: string, args: object): Promise<ToolResult> =>
  page.host.dispatch({ name, args, scope: page.host.scopeFor(undefined), caller: 'test' });
const seen = { load: 'a', isVisible: true, idleMs: 0 };

/** A tab that was closed counts for another while. */
const untilUnwatched = (): Promise<void> =>
  vi.waitFor(
    async () => {
      clock.pass(1_000);
      expect(await page.host.questions.isWatched()).toBe(false);
    },
    { timeout: 50_000 },
  );

/** A tab of the page, until it is closed. */
async function openTab(id: string, report: object = seen): Promise<AsyncDisposable> {
  await page.ask(`tab/${id}`, { body: report });
  return {
    async [Symbol.asyncDispose]() {
      await page.ask(`tab-closed/${id}`, { body: { load: 'a' } });
      await untilUnwatched();
    },
  };
}
const waiting = (where: object = {}): Promise<OpenQuestionRow> =>
  vi.waitFor(
    async () => {
      const { body } = await page.ask('questions');
      const [question] = (body as { open: OpenQuestionRow[] }).open;
      expect(question).toMatchObject(where);
      return question!;
    },
    { timeout: 50_000 },
  );

test('without an open page nobody can be asked', async () => {
  const { error } = await call('bridge.show_dialog', { title: 'Sure?', choices: ['Yes'] });
  expect(error).toMatchObject({ code: 'PEG_NOBODY_TO_ASK' });
});

test('a dialog is asked in the tab, and its button is the result', async () => {
  await using _tab = await openTab('first');
  const running = call('bridge.show_dialog', {
    title: 'Where to?',
    text: 'Now',
    choices: ['Staging', 'Production'],
  });
  const { id } = await waiting({ kind: 'dialog', tab: 'first', message: 'Where to?\nNow' });
  const wrong = await page.ask(`question/${id}`, {
    body: { decision: 'answered', content: { choice: 'Nowhere' } },
  });
  expect(wrong).toMatchObject({ status: 422, body: { error: { code: 'PEG_USAGE' } } });
  const answered = await page.ask(`question/${id}`, {
    body: { decision: 'answered', content: { choice: 'Staging' } },
  });
  expect(answered).toMatchObject({ status: 200, body: { counts: true } });
  expect(textOf(await running)).toBe('Staging');
});

test('a call of another process is asked here too', async () => {
  await using _tab = await openTab('first');
  const running = pegboard(['call', 'show_dialog', 'title=Really?', 'choices=["Yes","No"]'], {
    home: page.home.path,
    env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
  });
  const { id } = await waiting({ kind: 'dialog', message: 'Really?' });
  await page.ask(`question/${id}`, { body: { decision: 'answered', content: { choice: 'No' } } });
  expect(await running).toMatchObject({ code: 0, stdout: 'No\n' });
});

test('a file arrives byte for byte, at most 20 MB, and its copy is marked as the words of others', async () => {
  await using _tab = await openTab('first');
  const bytes = randomBytes(20 * 1024 * 1024);
  const upload = (body: Buffer) =>
    page.ask('upload?name=..%2F..%2Fbig.bin&type=application%2Foctet-stream', {
      body,
      changes: { 'content-type': 'application/octet-stream' },
    });
  expect((await upload(Buffer.concat([bytes, Buffer.of(1)]))).status).toBe(413);
  const { body: uploaded } = await upload(bytes);
  const running = call('bridge.show_file_picker', { title: 'A file' });
  const { id } = await waiting({ kind: 'files', multiple: false });
  const { id: file } = uploaded as { id: string };
  for (const files of [[], [file, file], ['unknown']])
    expect((await page.ask(`question/${id}`, { body: { decision: 'answered', files } })).status).toBe(422);
  await page.ask(`question/${id}`, { body: { decision: 'answered', files: [file] } });
  const { content, error } = await running;
  expect(error).toBeUndefined();
  expect(content).toMatchObject([{ type: 'resource_link', name: 'big.bin', size: bytes.length }]);
  const [{ uri } = { uri: '' }] = content as readonly { readonly uri: string }[];
  expect((await readFile(fileURLToPath(uri))).equals(bytes)).toBe(true);
});

test('a short text is in the result itself', async () => {
  await using _tab = await openTab('first');
  const { body: uploaded } = await page.ask('upload?name=note.txt&type=text%2Fplain', {
    body: 'hello\n',
    changes: { 'content-type': 'application/octet-stream' },
  });
  const running = call('bridge.show_file_picker', { title: 'A note' });
  const { id } = await waiting({ kind: 'files' });
  await page.ask(`question/${id}`, {
    body: { decision: 'answered', files: [(uploaded as { id: string }).id] },
  });
  expect(textOf(await running)).toContain('hello');
});

test('a notification says where it was shown', async () => {
  await using _tab = await openTab('first');
  const running = call('bridge.show_notification', { title: 'Done' });
  const { id } = await waiting({ kind: 'notification', tab: 'first' });
  await page.ask(`question/${id}`, { body: { decision: 'answered', shown: 'on the page' } });
  expect(textOf(await running)).toBe('Shown on the page.');
});

test('a dialog that is declined, and one that goes on when the person has gone', async () => {
  await using _tab = await openTab('first');
  const declined = call('bridge.show_dialog', { title: 'Sure?', choices: ['Yes'] });
  const { id } = await waiting({ kind: 'dialog' });
  await page.ask(`question/${id}`, { body: { decision: 'no' } });
  expect(textOf(await declined)).toBe('The user declined. No button was pressed.');
  const left = call('bridge.show_dialog', { title: 'Sure?', choices: ['Yes'] });
  await waiting({ kind: 'dialog' });
  await page.ask('tab-closed/first', { body: { load: 'a' } });
  await untilUnwatched();
  // Who asks looks once in a second.
  using _looking = setInterval(() => clock.pass(1_000), 20);
  expect((await left).error).toMatchObject({ code: 'PEG_NOBODY_TO_ASK' });
});

test('what asks elsewhere is listed with what it asks for', async () => {
  await using _tab = await openTab('first');
  const running = call('bridge.show_dialog', { title: 'Sure?', choices: ['Yes'] });
  const { id } = await waiting({ kind: 'dialog' });
  const { questions } = await pegboardJson<{ readonly questions: readonly object[] }>(['approvals', 'list'], {
    home: page.home.path,
  });
  expect(questions).toMatchObject([
    { id, kind: 'dialog', schema: { properties: { choice: { enum: ['Yes'] } } } },
  ]);
  await page.ask(`question/${id}`, { body: { decision: 'no' } });
  await running;
});

test.each([
  ['no id', 'tab/%20', seen],
  ['no report', 'tab/first', {}],
  ['a negative time', 'tab/first', { ...seen, idleMs: -1 }],
  ['a chat that is no text', 'tab/first', { ...seen, chat: 1 }],
])('a tab with %s is refused', async (_what, path, body) => {
  expect(await page.ask(path, { body })).toMatchObject({ status: 422 });
});

test('the tab of the conversation comes first, then the one that is seen, then the one used last', async () => {
  const watched: boolean[] = [];
  const time = createMovedClock();
  using tabs = openTabs((are) => watched.push(are), time);
  /** Until the tabs were looked at. */
  const passing = async (ms: number): Promise<void> => {
    time.pass(ms);
    await time.sleeper(1_000);
  };
  const ask = (id: number, asker = 'schedule/1', kind = 'dialog' as const) =>
    tabs.placeOf({ id, asker, kind });
  expect(ask(1)).toBeUndefined();
  tabs.report('old', { load: 'a', isVisible: false, idleMs: 60_000, chat: undefined });
  tabs.report('new', { load: 'a', isVisible: false, idleMs: 1_000, chat: undefined });
  expect(ask(1)).toBe('new');
  tabs.report('seen', { load: 'a', isVisible: true, idleMs: 90_000, chat: undefined });
  expect(ask(2)).toBe('seen');
  tabs.report('chat', { load: 'a', isVisible: false, idleMs: 90_000, chat: 'c1' });
  expect(ask(3, 'web/c1')).toBe('chat');
  // It stays where it is while that tab is open, also while it is loaded again.
  expect(ask(1)).toBe('new');
  tabs.leave('new', 'a');
  await passing(1_000);
  tabs.report('new', { load: 'b', isVisible: false, idleMs: 0, chat: undefined });
  await passing(5_000);
  tabs.leave('new', 'a');
  await passing(5_000);
  expect(ask(1)).toBe('new');
  tabs.leave('new', 'b');
  await passing(5_000);
  expect(ask(1)).toBe('seen');
  expect(tabs.placeOf({ id: 4, asker: 'web/c1', kind: 'form' })).toBeUndefined();
  expect(watched).toEqual([true]);
  // Tabs that say nothing any more have gone.
  await passing(100_000);
  expect(ask(1)).toBeUndefined();
  expect(watched).toEqual([true, false]);
});
