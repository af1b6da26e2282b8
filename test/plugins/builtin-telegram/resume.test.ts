import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { notesIn } from '../../kit/homes/asking-home.ts';
import { pegboard, startPegboard, type RunningCli } from '../../kit/cli.ts';
import { anna, startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { startScriptedModel, type ScriptedModel, type ScriptedReply } from '../../../host/testing/index.ts';
import { environmentOf, saysIn } from './bot-home.ts';

const files = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/note.md': manifest('note', 'command: echo noted >> notes.txt'),
  'spaces/s/agent/tools/slow.md': manifest(
    'slow',
    'command: echo began >> notes.txt; sleep 3; echo ended >> notes.txt',
  ),
};

type Messages = ScriptedModel['requests'][number]['messages'];

/** A bot. Only one that is to be killed gets a process of its own. */
async function openBot(
  script: (messages: Messages, bot: { readonly kill: (how: NodeJS.Signals) => void }) => ScriptedReply,
) {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  let running: RunningCli;
  const kill = (how: NodeJS.Signals): void => void running.child.kill(how);
  const model = opened.use(await startScriptedModel(({ messages }) => script(messages, { kill })));
  const home = opened.use(await createHome({ 'pegboard.yaml': configFor(model), ...files }));
  const options = { home: home.path, env: environmentOf(telegram) };
  const start = (): RunningCli => (running = startPegboard(['start'], options));
  const startToKill = (): RunningCli => (running = startPegboard(['start'], { ...options, apart: true }));
  opened.defer(async () => await running[Symbol.asyncDispose]());
  const owned = opened.move();
  return {
    telegram,
    model,
    home,
    start,
    startToKill,
    kill,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function storedIn(home: TestHome): readonly object[] {
  using database = new DatabaseSync(join(home.path, 'data/pegboard.db'), { readOnly: true });
  return database.prepare('select role, text, state from messages order by id').all();
}

function callsIn(home: TestHome): readonly { readonly [column: string]: unknown }[] {
  using database = new DatabaseSync(join(home.path, 'data/pegboard.db'), { readOnly: true });
  return database.prepare('select tool, ended, uncertain from tool_calls order by id').all();
}

const resultsIn = (messages: Messages): number => messages.filter(({ role }) => role === 'tool').length;

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a turn whose tools have ended is finished after %s from their results, and its message stands once in the history',
  async (how) => {
    let kills = 1;
    await using bot = await openBot((messages, { kill }) => {
      const done = resultsIn(messages);
      if (done < 2) return { toolCalls: [{ name: 'note', arguments: {} }] };
      if (kills-- > 0) {
        kill(how);
        return { text: 'never heard', faults: { hangAfter: 0 } };
      }
      return { text: `noted ${done} times` };
    });
    const first = how === 'SIGKILL' ? bot.startToKill() : bot.start();
    bot.telegram.write(anna, 'note it twice');
    await first.ended;
    bot.start();
    await saysIn(bot.telegram, anna.id, 'noted 2 times');
    expect(await notesIn(bot.home)).toEqual(['noted', 'noted']);
    expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
    expect(storedIn(bot.home)).toEqual([
      { role: 'user', text: 'note it twice', state: 'done' },
      { role: 'assistant', text: 'noted 2 times', state: 'done' },
    ]);
    const last = JSON.stringify(bot.model.requests.at(-1)!.messages);
    expect(last.match(/note it twice/g)).toHaveLength(1);
  },
);

test('an orderly stop lets a tool end, and the next start goes on from its result', async ({ expect }) => {
  await using bot = await openBot((messages) =>
    resultsIn(messages) === 0 ? { toolCalls: [{ name: 'slow', arguments: {} }] } : { text: 'it is done' },
  );
  const first = bot.start();
  bot.telegram.write(anna, 'take your time');
  await expect.poll(() => notesIn(bot.home), { timeout: 30_000 }).toEqual(['began']);
  bot.kill('SIGTERM');
  await first.ended;
  expect(await notesIn(bot.home)).toEqual(['began', 'ended']);
  bot.start();
  await saysIn(bot.telegram, anna.id, 'it is done');
  expect(await notesIn(bot.home)).toEqual(['began', 'ended']);
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test('a tool that was killed in the middle is not run again: the model and the person are told, once', async ({
  expect,
}) => {
  await using bot = await openBot((messages) =>
    resultsIn(messages) === 0
      ? {
          text: 'I begin.',
          toolCalls: [
            { name: 'note', arguments: {}, id: 'call_note' },
            { name: 'slow', arguments: {}, id: 'call_slow' },
          ],
        }
      : { text: 'what happened?' },
  );
  const first = bot.startToKill();
  bot.telegram.write(anna, 'take your time');
  // Calls of one round run side by side.
  const ran = async (): Promise<readonly string[]> => (await notesIn(bot.home)).toSorted();
  await expect.poll(ran, { timeout: 30_000 }).toEqual(['began', 'noted']);
  await expect.poll(() => callsIn(bot.home).filter(({ ended }) => ended === 1)).toHaveLength(1);
  bot.kill('SIGKILL');
  await first.ended;
  bot.start();
  await saysIn(
    bot.telegram,
    anna.id,
    /^I begin\.\n\nwhat happened\?\n\n⚠️ Pegboard was interrupted during this: s\.slow \{\}/,
  );
  // What the tool had started runs to its end.
  expect((await ran()).filter((note) => note !== 'ended')).toEqual(['began', 'noted']);
  // One request began, was answered, and is not made again. The model sees the same round, with the ids of its calls.
  expect(bot.model.requests).toHaveLength(2);
  const [said, ...results] = bot.model.requests[1]!.messages.slice(-3);
  expect(said).toMatchObject({ content: 'I begin.', tool_calls: [{ id: 'call_note' }, { id: 'call_slow' }] });
  expect(results).toMatchObject([
    { tool_call_id: 'call_note', content: '(done, no output)' },
    { tool_call_id: 'call_slow', content: expect.stringContaining('Whether it took effect is not known') },
  ]);
  expect(bot.telegram.sentTo(anna.id).filter(({ text }) => text.includes('⚠️'))).toHaveLength(1);
  // The next turn knows about it.
  bot.telegram.write(anna, 'and?');
  await saysIn(bot.telegram, anna.id, 'what happened?');
  expect(JSON.stringify(bot.model.requests.at(-1)!.messages)).toContain('check before you repeat it');
});

test('a schedule that was killed before anything had an effect is run, and the chat knows what it sent', async () => {
  let kills = 1;
  await using bot = await openBot((messages, { kill }) => {
    const said = JSON.stringify(messages.at(-1)!.content);
    if (!said.includes('Water the plants')) return { text: 'the next turn' };
    if (kills-- > 0) {
      kill('SIGKILL');
      return { text: 'never heard', faults: { hangAfter: 0 } };
    }
    return { text: `The plants are watered. ${'Each of them. '.repeat(50)}And that was all.` };
  });
  const first = bot.start();
  bot.telegram.write(anna, '/new');
  await saysIn(bot.telegram, anna.id, 'A fresh conversation.');
  bot.kill('SIGTERM');
  await first.ended;
  const words = ['schedule', 'add', 'in 1 second', 'Water the plants', '--to', `telegram/${anna.id}`];
  const { code } = await pegboard(words, { home: bot.home.path, env: environmentOf(bot.telegram) });
  expect(code).toBe(0);
  await bot.startToKill().ended;
  bot.start();
  await saysIn(bot.telegram, anna.id, /^The plants are watered\..*that was all\.$/);
  bot.telegram.write(anna, 'and?');
  await saysIn(bot.telegram, anna.id, 'the next turn');
  expect(JSON.stringify(bot.model.requests.at(-1)!.messages)).toMatch(
    /\[Sent by schedule 1\]\\nThe plants are watered\..*that was all\./,
  );
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(3);
});

test.each([
  { name: 'ask_user', arguments: { question: 'Which one?' } },
  { name: 'bash', arguments: { command: 'touch made' } },
])('a turn that waits for an answer to $name is handed over at once when its host stops', async (call) => {
  await using bot = await openBot((messages) =>
    resultsIn(messages) === 0 ? { toolCalls: [call] } : { text: 'I see.' },
  );
  const { telegram, home, start } = bot;
  const jobs = (): readonly { readonly state: string; readonly at: number }[] => {
    using database = new DatabaseSync(join(home.path, 'data/pegboard.db'), { readOnly: true });
    const query = `select state, at from engine_jobs where queue = 'channel-turns.telegram'`;
    return database.prepare(query).all() as unknown as ReturnType<typeof jobs>;
  };
  for (let times = 1; times <= 3; times++) {
    const running = start();
    if (times === 1) telegram.write(anna, 'do it');
    await telegram.until(() => telegram.sentTo(anna.id).length > 0);
    await expect.poll(() => jobs()[0]!.state).toBe('running');
    running.child.kill('SIGTERM');
    await running.ended;
    const [job] = jobs();
    expect(job!.state).toBe('waiting');
    expect(job!.at).toBeLessThanOrEqual(Date.now());
  }
});

test('an answer to a question that has changed meanwhile is none: it is asked anew', async () => {
  await using bot = await openBot((messages) =>
    resultsIn(messages) === 0 ? { toolCalls: [{ name: 'danger', arguments: {} }] } : { text: 'It is done.' },
  );
  const { telegram, home, start, startToKill, kill } = bot;
  const file = 'spaces/s/agent/tools/danger.md';
  await home.write(file, manifest('danger', 'command: echo one >> notes.txt\nconfirm: true'));
  const first = startToKill();
  telegram.write(anna, 'do it');
  const asked = await saysIn(telegram, anna.id, /echo one/);
  kill('SIGKILL');
  await first.ended;
  telegram.press(anna, asked.id, 'Allow once');
  await home.write(file, manifest('danger', 'command: echo two >> notes.txt\nconfirm: true'));
  start();
  const again = await saysIn(telegram, anna.id, /echo two/);
  telegram.press(anna, again.id, 'Allow once');
  await saysIn(telegram, anna.id, 'It is done.');
  expect(await notesIn(home)).toEqual(['two']);
});
