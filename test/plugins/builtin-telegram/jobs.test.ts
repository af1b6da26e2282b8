import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftBehind } from '../../../bench/soak/left-behind.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { startPegboard, type RunningCli } from '../../kit/cli.ts';
import { anna, startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { startScriptedModel, type Script } from '../../../host/testing/index.ts';
import { environmentOf, openBotHome, saysIn } from './bot-home.ts';

const files = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  // Ends as soon as somebody writes into the pipe.
  'spaces/s/agent/tools/gate.md': manifest('gate', 'command: mkfifo gate && cat gate'),
  'spaces/s/agent/tools/hang.md': manifest('hang', 'command: sleep 61.75'),
  'spaces/s/agent/tools/broken.md': manifest('broken', 'command: sh -c "exit 3"'),
};

/** Starts the tool that the message names in the background. */
const starts: Script = ({ messages }) => {
  const last = messages.at(-1);
  if (last.role === 'tool') return { text: 'It runs.' };
  const said = JSON.stringify(last.content);
  const [, tool] = /start (\w+)/.exec(said) ?? [];
  if (tool === undefined)
    return { text: said.includes('Background jobs that have ended') ? 'I know.' : 'What?' };
  return { toolCalls: [{ name: 'background_run', arguments: { mode: 'start', tool } }] };
};

test('the end of a job is announced in its chat and topic, once, and the agent knows of it', async () => {
  await using bot = await openBotHome(starts, { files, config: { groups: 'all' } });
  bot.telegram.addGroup(-100_500, 'Forum', { topics: [7] });
  const say = (text: string): number => bot.telegram.write(anna, text, { chat: -100_500, thread: 7 });
  say('start gate');
  await bot.says(-100_500, 'It runs.');
  await appendFile(join(bot.home.path, 'spaces/s/gate'), 'through\n');
  const told = await bot.says(-100_500, /^Job 1/);
  expect(told).toMatchObject({
    thread: 7,
    text: expect.stringMatching(/^Job 1 \(gate\): done after \d+ s\. Ask me for its result\.$/),
  });
  say('and?');
  await bot.says(-100_500, 'I know.');
  say('and now?');
  await bot.says(-100_500, 'What?');
  expect(bot.telegram.sentTo(-100_500).filter(({ text }) => text.startsWith('Job'))).toHaveLength(1);
});

test('a job that fails says why; one that Telegram refuses to announce is reported at the terminal', async () => {
  await using bot = await openBotHome(starts, { files });
  bot.telegram.write(anna, 'start broken');
  expect((await bot.says(anna.id, /^Job 1/)).text).toMatch(/^Job 1 \(broken\): failed after .*3/);
  await bot.says(anna.id, 'It runs.');
  const terminal = bot.host.plugins.instances.flatMap(({ channels }) => channels['terminal'] ?? [])[0]!;
  bot.telegram.fail('sendMessage', { status: 403, description: 'Forbidden: bot was blocked by the user' });
  bot.telegram.write(anna, 'start broken');
  // That the chat takes nothing is told there too.
  const told: string[] = [];
  const texts = async (): Promise<string> => {
    told.push(...(await terminal.take!('cli')).map(({ text }) => text));
    return told.join('\n\n');
  };
  await expect
    .poll(texts)
    .toMatch(/^This could not be delivered to telegram 1001 .*blocked[^]*Job 2 \(broken\): failed/m);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'after %s and a restart the chat hears once that its job was interrupted',
  async (how) => {
    await using telegram = await startFakeBotApi();
    await using model = await startScriptedModel(starts);
    await using home = await createHome({ 'pegboard.yaml': configFor(model), ...files });
    const options = { home: home.path, cwd: tmpdir(), env: environmentOf(telegram) };
    const start = (): RunningCli =>
      startPegboard(['start'], how === 'SIGKILL' ? { ...options, apart: true } : options);
    const end = async (running: RunningCli): Promise<void> => {
      running.child.kill(how);
      await running.ended;
    };
    const first = start();
    telegram.write(anna, 'start hang');
    await saysIn(telegram, anna.id, 'It runs.');
    await end(first);
    const second = start();
    const told = await saysIn(telegram, anna.id, /^Job 1/);
    expect(told.text).toBe(
      'Job 1 (hang): interrupted, because Pegboard was stopped. What it had done by then is not known: check that before you ask me to start it again.',
    );
    expect(await leftBehind(home.path, () => false), 'it does not run on, unknown to everybody').toEqual([]);
    telegram.write(anna, 'and?');
    await saysIn(telegram, anna.id, 'I know.');
    await end(second);
    await using _third = startPegboard(['start'], options);
    telegram.write(anna, '/new');
    await saysIn(telegram, anna.id, 'A fresh conversation.');
    expect(telegram.sentTo(anna.id).filter(({ text }) => text.startsWith('Job'))).toHaveLength(1);
  },
);

test('killed while it is announced, it is announced again, with a word about it', async () => {
  await using telegram = await startFakeBotApi();
  await using model = await startScriptedModel(starts);
  await using home = await createHome({ 'pegboard.yaml': configFor(model), ...files });
  const options = { home: home.path, cwd: tmpdir(), env: environmentOf(telegram) };
  await using first = startPegboard(['start'], { ...options, apart: true });
  telegram.onCall(({ params }, stage) => {
    if (stage === 'answered' && String(params['text']).startsWith('Job 1')) first.child.kill('SIGKILL');
  });
  telegram.write(anna, 'start broken');
  await first.ended;
  await using _second = startPegboard(['start'], options);
  await saysIn(telegram, anna.id, /^Job 1[^]*it may come a second time/);
});
