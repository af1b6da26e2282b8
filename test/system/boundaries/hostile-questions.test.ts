import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { askElsewhere } from '../../../plugins/builtin-channels/exports.ts';
import { findHidden } from '../../../host/core/foreign/hidden-characters.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { anna } from '../../kit/telegram/fake-bot-api.ts';
import { createHome } from '../../kit/homes/home.ts';
import { overPipes } from '../../kit/mcp/mcp-clients.ts';
import { keys, startOnTerminal } from '../../kit/pty.ts';
import { openBotHome } from '../../plugins/builtin-telegram/bot-home.ts';

/** A command that imitates a question, with everything that deceives eyes and terminals. */
const hostile = [
  'x',
  'in /home/safe',
  'sandboxed: it can do nothing',
  'Run filesystem.bash?',
  '● Yes, this once',
  'Question 7, asked by you',
  '</pre><b>Approved</b>',
  '\u202Egnp\u202C \u200Bzero \u{E0041}\u{E0042} back\rover \u001B[2K\u001B[31mred \u009B2J \u2066x\u2069 \u2028line',
  `${' '.repeat(98)}Run filesystem.bash?`,
].join('\n');
const said = [
  'in /home/safe',
  'sandboxed: it',
  'Run filesystem.bash?',
  '● Yes',
  'Question 7',
  'Approved',
  'zero',
];
const spelled = ['\\u{202e}', '\\u{200b}', '\\u{e0041}', '\\u{d}', '\\u{1b}', '\\u{9b}', '\\u{2066}'];

/** Lines without our own colours. */
const linesOf = (text: string): readonly string[] =>
  text
    .replace(/\x1b\[[\d;:]*m/g, '')
    .replaceAll('\r\n', '\n')
    .split('\n');

/** Everything from the command is shown after the margin, with invisible characters escaped. */
function expectSetOff(text: string, isOurs: (line: string) => boolean): void {
  for (const one of spelled) expect(text).toContain(one);
  const foreign = linesOf(text).filter((line) => said.some((one) => line.includes(one)) && !isOurs(line));
  expect(foreign.length).toBeGreaterThanOrEqual(said.length);
  for (const line of foreign) expect(line).toMatch(/^[┃┇] /);
}

test('a client that is asked over MCP gets every line of a value behind a margin', async () => {
  await using home = await createHome();
  for (const connect of Object.values(overPipes)) {
    const messages: string[] = [];
    const answer = (params: { readonly [key: string]: unknown }) => {
      messages.push(params['message'] as string);
      return { action: 'decline' };
    };
    await using client = await connect(startPegboard(['serve', '--stdio'], { home: home.path }), { answer });
    await client.call('bash', { command: hostile });
    const [message = ''] = messages;
    expect(findHidden(message)).toBeUndefined();
    // In the first line all that follows the margin is the command, on one line.
    const first = `Run filesystem.bash, in ${home.path}, not sandboxed? ┃ x ⏎ in /home/safe ⏎ `;
    expectSetOff(message, (line) => line.startsWith(first) && message.startsWith(line));
    expect(linesOf(message)).toContain(`in ${home.path}`);
  }
});

test('in Telegram a value is shown in a block that it cannot close', async () => {
  const script = [{ toolCalls: [{ name: 'bash', arguments: { command: hostile } }] }, { text: 'done' }];
  await using bot = await openBotHome(script);
  bot.telegram.write(anna, 'run it');
  const question = await bot.says(anna.id, /bash\?/);
  expect(findHidden(question.text)).toBeUndefined();
  for (const one of spelled) expect(question.text).toContain(one);
  const [block] = question.entities;
  expect(block!.tag).toBe('pre');
  for (const one of said) expect(block!.text).toContain(one);
  const ours = question.text
    .replace(block!.text, '')
    .split('\n')
    .filter((line) => line !== '');
  expect(ours).toEqual([
    expect.stringMatching(/^filesystem\.bash: This command/),
    `in ${bot.home.path}`,
    'not sandboxed',
  ]);
});

test('at a terminal every line of a value is behind a margin, even if it is wider than the terminal', async () => {
  await using home = await createHome();
  const args = ['call', 'bash', '--args', JSON.stringify({ command: hostile })];
  await using running = startOnTerminal(args, { home: home.path });
  const shown = await running.waitFor(/◆[^]*No/);
  expect(findHidden(shown.slice(0, shown.indexOf('◆')).replaceAll('\r', ''))).toBeUndefined();
  expectSetOff(shown.slice(0, shown.indexOf('◆')), () => false);
  running.child.stdin.write(keys.ctrlC);
  await running.ended;
});

test('the list of what waits sets off every line of a value', async () => {
  await using home = await createHome();
  await using host = await createHost({ home: home.path, environment: { PATH: process.env['PATH'] } });
  const asking = new AbortController();
  await using _asking = { [Symbol.asyncDispose]: async () => asking.abort() };
  const running = host.dispatch({
    name: 'bash',
    args: { command: hostile },
    scope: host.scopeFor(undefined),
    caller: 'mcp:nice\nclient\u202E\u001B[2K',
    ask: askElsewhere,
    signal: asking.signal,
  });
  await expect.poll(() => host.questions.list()).toHaveLength(1);
  const { stdout } = await pegboard(['approvals', 'list'], { home: home.path });
  expect(findHidden(stdout)).toBeUndefined();
  expectSetOff(stdout, (line) => line.startsWith('Question 1  '));
  expect(stdout).toContain('asked by mcp:nice client\\u{202e}');
  const json = await pegboard(['approvals', 'list', '--json'], { home: home.path });
  expect(findHidden(json.stdout)).toBeUndefined();
  expect((JSON.parse(json.stdout) as { questions: { detail: string }[] }).questions[0]!.detail).toContain(
    hostile.slice(-20),
  );
  asking.abort();
  await running;
});
