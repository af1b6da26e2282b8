import { expect, test } from 'vitest';
import { createHome } from '../../../kit/homes/home.ts';
import { pegboard, pegboardJson, startPegboard } from '../../../kit/cli.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

test('pegboard schedule adds, lists, shows and cancels; pegboard start runs, and the record tells', async () => {
  await using home = await createHome();
  const at = { home: home.path };
  const added = await pegboardJson<{ id: number; kind: string }>(
    ['schedule', 'add', 'in 0 seconds', '--message', 'Tea', 'is', 'ready'],
    at,
  );
  expect(added).toMatchObject({ id: 1, kind: 'message', text: 'Tea is ready', channel: 'terminal' });
  const cron = await pegboard(
    ['schedule', 'add', 'weekdays at 9', 'Sum up my mail', '--to', 'telegram/5'],
    at,
  );
  expect(cron.stdout).toMatch(/Schedule 2: 0 9 \* \* 1-5, next .*, to telegram 5: Sum up my mail/);
  expect(cron.stdout).toContain('No host is running');
  expect(cron.stdout).toMatch(/telegram is not connected here\. .*TELEGRAM_BOT_TOKEN/);
  const other = await pegboard(['schedule', 'add', 'tomorrow', 'x', '--to', 'discord/5', '--paused'], at);
  expect(other.stdout).toMatch(/discord is not connected here\. .*DISCORD_BOT_TOKEN/);
  expect((await pegboard(['schedule', 'cancel', '3'], at)).code).toBe(0);
  const connected = { ...at, env: { TELEGRAM_BOT_TOKEN: '1:a' } };
  const there = await pegboard(['schedule', 'add', 'tomorrow', 'x', '--to', 'telegram/5'], connected);
  expect(there.stdout).not.toContain('Nothing is connected');
  expect((await pegboard(['schedule', 'cancel', '4'], at)).code).toBe(0);

  const nowhere = await pegboard(['schedule', 'add', '0 9 * * 1-5', 'x', '--to', 'nochannel/7'], at);
  expect(nowhere).toMatchObject({ code: 2 });
  expect(nowhere.stderr).toContain('There is no channel "nochannel" here. The channels are: terminal');

  const nobody = await pegboard(['schedule', 'add', 'tomorrow', 'x', '--agent', 'nobody'], at);
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('"nobody"') as string });
  const nothing = await pegboard(['schedule', 'add', 'tomorrow', ' ', '--message'], at);
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('what to do') as string });

  for (const [given, meant] of [
    [['tomorow at 9', 'Tea'], 'Did you mean "tomorrow at 9"?'],
    [['evry weekday', 'Tea'], 'Did you mean "every weekday"?'],
    [['in 5 minuts', 'Tea'], 'Did you mean "in 5 minutes"?'],
    [['every', 'weekday', 'at', '9', 'Drink', 'tea'], 'schedule add "every weekday at 9" "Drink tea"?'],
    [['tomorow', 'at', '9', 'Drink', 'tea'], 'schedule add "tomorrow at 9" "Drink tea"?'],
    [['tomorrow', 'at', '9', 'Drink', 'tea'], 'schedule add "tomorrow at 9" "Drink tea"?'],
    [['gibberish', 'Tea'], 'Write 2026-05-01T09:00'],
  ] as const) {
    const refused = await pegboard(['schedule', 'add', ...given], at);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(meant) as string });
  }
  const onCall = await pegboardJson(['schedule', 'add', 'tomorrow', 'on', 'call', '--paused'], at);
  expect(onCall).toMatchObject({ text: 'on call' });
  await pegboard(['schedule', 'cancel', '5'], at);

  const words = await pegboardJson(
    ['schedule', 'add', 'the day after tomorrow at 9', 'Water the plants'],
    at,
  );
  expect(words).toMatchObject({ cron: null, run_at: expect.stringMatching(/T\d\d:[0134][05]:00/) as string });

  await using host = startPegboard(['start'], at);
  await host.waitFor(/running/);
  type Runs = { readonly runs: readonly { readonly delivery: string }[] };
  await waitUntil(
    () => pegboardJson<Runs>(['schedule', 'runs', '1'], at),
    ({ runs }) => runs[0]?.delivery === 'delivered',
  );
  expect((await pegboard(['schedule', 'list'], at)).stdout).not.toContain('No host is running');
  expect((await pegboard(['schedule', 'show', '1'], at)).stdout).toContain('done');
  expect((await pegboard(['schedule', 'cancel', '2'], at)).stdout).toContain('is cancelled');
  expect((await pegboard(['schedule', 'add', 'x y', 'z'], at)).code).toBe(2);
  expect((await pegboard(['schedule', 'show', '77'], at)).stderr).toContain('no schedule "77"');
});

test('a schedule is paused and resumed, and can begin paused', async () => {
  await using home = await createHome();
  const at = { home: home.path };
  const added = await pegboard(['schedule', 'add', '0 9 * * *', 'Look at the mail', '--paused'], at);
  expect(added.stdout).toMatch(
    /Schedule 1: paused \(would run: 0 9 \* \* \*\), to terminal cli: Look at the mail/,
  );
  const resumed = await pegboard(['schedule', 'resume', '1'], at);
  expect(resumed.stdout).toMatch(/Schedule 1: 0 9 \* \* \*, next /);
  expect(resumed.stdout).toContain('No host is running');
  expect((await pegboard(['schedule', 'resume', '1'], at)).stdout).toContain('is not paused');
  expect((await pegboard(['schedule', 'pause', '1'], at)).stdout).toContain('pegboard schedule resume 1');
  expect((await pegboard(['schedule', 'pause', '1'], at)).stdout).toContain('paused or over already');
  expect((await pegboard(['schedule', 'cancel', '1'], at)).stdout).toContain('is cancelled');

  await pegboard(['schedule', 'add', 'in 0 seconds', 'Too late', '--paused'], at);
  const late = await pegboard(['schedule', 'resume', '2'], at);
  expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining('which has passed') as string });
});

test('a reminder reaches whoever sits at the prompt, also when it came before they did', async () => {
  await using home = await createHome();
  const at = { home: home.path };
  await pegboard(['call', 'channel_send', 'text=It came early'], at);
  await using prompt = startOnTerminal([], at);
  await prompt.waitFor(/It came early/);
  await pegboard(['schedule', 'add', 'in 0 seconds', '--message', 'Tea is ready'], at);
  await using _host = startPegboard(['start'], at);
  await prompt.waitFor(/Tea is ready/);
  prompt.child.stdin.write(keys.ctrlD);
  await prompt.ended;
});
