import { describe, expect, test } from 'vitest';
import { pegboard, startPegboard, type CliResult, type RunningCli } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';
import { startScriptedModel, type ScriptedModel } from '../../../../host/testing/index.ts';

const yaml = (words: string): string => `id: dice
version: "1.0.0"
description: Rolls dice
commands:
  ${words}: { summary: Roll a die, usage: '[SIDES]', options: { loud: { summary: Say it aloud } } }
`;

const code = (words: string, said: string): string => `
import { definePlugin } from 'pegboard';
const roll = ({ words: [sides = '6'], options, out }) => {
  out(\`${said} of \${sides}\${options.loud ? '!' : ''}\`);
};
export default definePlugin({ setup: () => ({ commands: { '${words}': roll } }) });
`;

const homeWithDice = (): Promise<TestHome> =>
  createHome({
    'pegboard.yaml': 'plugins: { dice: { trusted: true } }\n',
    'plugins/dice/plugin.yaml': yaml('dice roll'),
    'plugins/dice/index.ts': code('dice roll', 'a four'),
  });

const modelAt = (model: ScriptedModel | undefined): Record<string, string> =>
  model ? { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' } : {};

describe('over a pipe', () => {
  const run = (home: TestHome, input: string, model?: ScriptedModel): Promise<CliResult> =>
    pegboard([], { home: home.path, input, env: modelAt(model) });

  test('commands of plugins work after a slash, with arguments and options, and are not sent to the model', async () => {
    await using home = await homeWithDice();
    await using model = await startScriptedModel([]);
    const { code: exit, stdout } = await run(
      home,
      '/dice roll 20 --loud\n/memory search x\n/schedule list\n',
      model,
    );
    expect(exit).toBe(0);
    expect(stdout).toContain('a four of 20!\n');
    expect(model.requests).toEqual([]);
  });

  test('without a model they work with and without a slash, and words that begin like one are still a request', async () => {
    await using home = await homeWithDice();
    const { stdout, stderr } = await run(home, '/dice roll 8\ndice roll 10\ndice games tonight\n');
    expect(stdout).toContain('a four of 8\na four of 10\n');
    expect(stderr).toMatch(/No tool does that|Nobody is here to choose/);
  });

  test('a plugin that is reloaded runs its new code', async () => {
    await using home = await homeWithDice();
    await using session = startPegboard([], { home: home.path });
    const { stdin } = session.child;
    stdin.write('/dice roll\n');
    await session.waitFor(/a four of 6/);
    await home.write('plugins/dice/index.ts', code('dice roll', 'a five'));
    stdin.end('/plugins reload dice\n/dice roll\n');
    expect(await session.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/a five of 6\n$/) });
  });

  test('/help lists them, /help NAME tells about one', async () => {
    await using home = await homeWithDice();
    await using model = await startScriptedModel([]);
    const { stdout } = await run(home, '/help\n/help dice roll\n', model);
    expect(stdout).toMatch(/^ {2}\/dice roll \[SIDES\] +Roll a die$/m);
    expect(stdout).toMatch(
      /^ {2}\/telegram list +List people who may talk to the bot, and people with a pending code/m,
    );
    expect(stdout).toMatch(/pegboard dice roll \[SIDES\][^]*--loud/);
  });

  test('the nearest command is suggested, also for the second word', async () => {
    await using home = await homeWithDice();
    await using model = await startScriptedModel([]);
    const { code: exit, stderr } = await run(home, '/dcie roll\n/dice rol\n', model);
    expect(exit).toBe(2);
    expect(stderr).toContain('Did you mean /dice?');
    expect(stderr).toContain('Did you mean "pegboard dice roll"?');
  });

  test('a plugin that is disabled takes its commands along at once, and brings them back', async () => {
    await using home = await homeWithDice();
    await using model = await startScriptedModel([]);
    const lines = ['/plugins disable dice', '/dice roll', '/plugins enable dice', '/dice roll 4'];
    const { stdout, stderr } = await run(home, `${lines.join('\n')}\n`, model);
    expect(stderr).toBe('There is no /dice. /help lists what there is.\n');
    expect(stdout).toBe('dice is disabled.\ndice is enabled.\na four of 4\n');
  });
});

describe('on a terminal', () => {
  const start = (home: TestHome, model: ScriptedModel, how: { readonly apart?: true } = {}): RunningCli =>
    startOnTerminal([], { home: home.path, env: modelAt(model), ...how });

  test('Tab completes their words and options', async () => {
    await using home = await homeWithDice();
    await using model = await startScriptedModel([]);
    await using chat = start(home, model);
    await chat.waitFor(/›/);
    chat.child.stdin.write(`/dic${keys.tab}`);
    await chat.waitFor(/\/dice /);
    chat.child.stdin.write(`ro${keys.tab}`);
    await chat.waitFor(/\/dice roll /);
    chat.child.stdin.write(`12 --lo${keys.tab}${keys.enter}`);
    await chat.waitFor(/a four of 12!/);
    chat.child.stdin.write(keys.ctrlD);
    expect(await chat.ended).toMatchObject({ code: 0 });
  });

  test('a plugin whose files change has its new commands in the open chat, and the old are gone', async () => {
    await using home = await homeWithDice();
    await using model = await startScriptedModel([]);
    // Asked again and again, a chat in this process would leave the watcher of the same process no time.
    await using chat = start(home, model, { apart: true });
    await chat.waitFor(/›/);
    chat.child.stdin.write(`/dice roll${keys.enter}`);
    await chat.waitFor(/a four of 6/);
    await home.write('plugins/dice/index.ts', code('dice throw', 'a five'));
    await home.write('plugins/dice/plugin.yaml', yaml('dice throw'));
    await until(chat, `/dice throw${keys.enter}`, /a five of 6/);
    chat.child.stdin.write(`/dice roll${keys.enter}`);
    await chat.waitFor(/There is no "pegboard dice roll"/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  });
});

/** The host notices a file without output, so this asks again as long as the answer is "not yet". */
async function until(chat: RunningCli, line: string, wanted: RegExp): Promise<void> {
  const answer = new RegExp(`(?:There is no "pegboard|can't run)[^]*?›|${wanted.source}`);
  do chat.child.stdin.write(line);
  while (!wanted.test(await chat.next(answer)));
}
