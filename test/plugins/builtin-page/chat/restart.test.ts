import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ChatPage } from '../../../../plugins/builtin-page/chat/wire.ts';
import { startPegboard, type CliOptions, type RunningCli } from '../../../kit/cli.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { rounds } from '../../../kit/run/tiers.ts';
import { startPacedModel } from '../../../kit/servers/paced-model.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';
import { answersIn, notesIn, textsOf } from '../../../kit/web/open-chat.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

/** Only a host that is to be killed needs a process of its own. */
const startDashboard = (home: TestHome, options: CliOptions = {}): RunningCli =>
  startPegboard(['dashboard', '--no-open', '--port', '0'], { home: home.path, ...options });

/** Requests of a browser that is signed in to a page in another process. */
async function signIn(running: RunningCli) {
  const link = new URL((await running.next(/http:\S+\s/)).match(/http:\S+/)![0]);
  const port = Number(link.port);
  let cookie = '';
  let key = '';
  const ask = async (path: string, body?: object): Promise<any> => {
    const headers = ['host', link.host, 'cookie', cookie, 'x-pegboard-page', key];
    const { headers: answered, text } = await sendRaw(port, {
      method: body ? 'POST' : 'GET',
      path: `/api/${path}`,
      headers: [...headers, ...(body ? ['origin', link.origin, 'content-type', 'application/json'] : [])],
      ...(body && { body: JSON.stringify(body) }),
    });
    cookie ||= answered['set-cookie']?.[0]?.split(';')[0] ?? '';
    return JSON.parse(text);
  };
  ({ key } = await ask('session', { code: link.hash.replace('#open=', '') }));
  return {
    write: (id: string, text: string) => ask(`chat/cthechat`, { id, text }),
    press: (message: string, data: string) => ask('chat-press/cthechat', { message, data }),
    until: (is: (chat: ChatPage) => boolean) =>
      waitUntil(async () => (await ask('chat/cthechat')) as ChatPage, is),
  };
}

test('a host that is killed in mid-turn goes on after its restart, and says nothing twice', async () => {
  await using model = await startPacedModel();
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  await using first = startDashboard(home, { apart: true });
  const before = await signIn(first);
  await before.write('mfirstmessage', 'First');
  await model.say('I had begun');
  await before.until(({ running }) => running?.text === 'I had begun');
  await before.write('msecondmessage', 'Second');
  first.child.kill('SIGKILL');
  await first.ended;
  await using second = startDashboard(home);
  const after = await signIn(second);
  // A browser that got no answer sends its message again.
  await after.write('msecondmessage', 'Second');
  await model.say('The whole answer.');
  await model.finish();
  await after.until((now) => answersIn(now).length === 1);
  await model.say('And the other.');
  await model.finish();
  const done = await after.until((now) => answersIn(now).length === 2);
  expect(textsOf(done.items)).toEqual(['First', 'The whole answer.', 'Second', 'And the other.']);
  expect(done).toMatchObject({ waiting: [] });
});

test('a host that is started again after 16 minutes asks in the chat, goes on, and shows the call that was cut off', async () => {
  await using model = await startScriptedModel(({ messages }) =>
    messages.at(-1)!.role === 'tool'
      ? { text: 'I looked.' }
      : { toolCalls: [{ name: 'change', arguments: {}, id: 'call_1' }] },
  );
  await using home = await createHome({
    'pegboard.yaml': configFor(model),
    'spaces/work/agent/tools/change.md': manifest(
      'change',
      'command: echo changed >> notes.txt; sleep 61.25',
    ),
  });
  const changes = (): Promise<string> => home.read('spaces/work/notes.txt').catch(() => '');
  await using first = startDashboard(home, { apart: true });
  await (await signIn(first)).write('mfirstmessage', 'Change it');
  await expect.poll(changes, { timeout: 30_000 }).toBe('changed\n');
  first.child.kill('SIGKILL');
  await first.ended;
  {
    using database = new DatabaseSync(databaseFileOf(home.path));
    const earlier = new Date(Date.now() - 16 * 60_000).toISOString();
    database.prepare("update messages set active_at = ? where state = 'running'").run(earlier);
  }
  await using second = startDashboard(home);
  const page = await signIn(second);
  const asked = await page.until((now) => notesIn(now).some(({ buttons }) => buttons));
  const question = notesIn(asked).at(-1)!;
  expect(question.buttons!.map(({ label }) => label)).toEqual(['Go on', 'Leave it']);
  expect(question.blocks!.map(({ text }) => text).join('\n')).toContain('Change it');
  await page.press(question.id!, question.buttons![0]!.data);
  const done = await page.until((now) => answersIn(now).length === 1);
  const [answer] = answersIn(done);
  expect(answer!.text).toMatch(/^I looked\.\n\n⚠️ Pegboard was interrupted during this: `work\.change/);
  expect(answer!.calls).toMatchObject([{ tool: 'work.change', isInterrupted: true }]);
  expect(await changes()).toBe('changed\n');
});

test('a host that is killed again and again answers every message once', async () => {
  const kills = rounds({ usual: 2, all: 8, soak: 8 });
  await using model = await startScriptedModel(({ messages }) => {
    const last = JSON.stringify(messages.findLast(({ role }) => role === 'user'));
    return { text: `Answer ${/Message (\d+)/.exec(last)![1]}`, chunks: 8 };
  });
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  for (let at = 0; at < kills; at++) {
    await using running = startDashboard(home, { apart: true });
    const browser = await signIn(running);
    // While it is answered, when it has been, before the host has stored it, or after.
    const moment = (at + 2) % 4;
    const sending = browser.write(`mmessage${at}`, `Message ${at}`).catch(() => {});
    if (moment > 0) await sending;
    if (moment > 1) await waitUntil(() => JSON.stringify(model.requests).includes(`Message ${at}`));
    if (moment > 2) await browser.until((now) => textsOf(now.items).includes(`Answer ${at}`));
    running.child.kill('SIGKILL');
    await running.ended;
    await sending;
  }
  await using running = startDashboard(home);
  const browser = await signIn(running);
  for (let at = 0; at < kills; at++) await browser.write(`mmessage${at}`, `Message ${at}`);
  const done = await browser.until((now) => answersIn(now).length >= kills && now.waiting.length === 0);
  const texts = textsOf(done.items);
  const expected = Array.from({ length: kills }, (_, at) => [`Message ${at}`, `Answer ${at}`]).flat();
  expect(texts.toSorted()).toEqual(expected.toSorted());
});

test('of two processes that serve the page one answers, and the other takes over', async () => {
  await using model = await startPacedModel();
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  await using first = startPegboard(['dashboard', '--no-open', '--port', '0'], { home: home.path });
  const here = await signIn(first);
  await here.write('mfirstmessage', 'First');
  await model.say('One.');
  await model.finish();
  await here.until((now) => answersIn(now).length === 1);
  await using second = startPegboard(['start', '--http', '0'], { home: home.path, apart: true });
  await second.waitFor(/running/);
  await using linked = startPegboard(['dashboard', '--no-open'], { home: home.path });
  const there = await signIn(linked);
  expect(await there.write('msecondmessage', 'Second')).toMatchObject({
    error: { code: 'PEG_DENIED', message: expect.stringContaining('Another process answers') },
  });
  expect(textsOf((await there.until(() => true)).items)).toEqual(['First', 'One.']);
  first.child.kill('SIGTERM');
  await first.ended;
  await waitUntil(
    () => there.write('msecondmessage', 'Second'),
    ({ error }) => !error,
  );
  await model.say('Two.');
  await model.finish();
  const done = await there.until((now) => answersIn(now).length === 2);
  expect(textsOf(done.items)).toEqual(['First', 'One.', 'Second', 'Two.']);
});
