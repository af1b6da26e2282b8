import { expect, test } from 'vitest';
import { createHost } from '../../../../host/create-host.ts';
import { askElsewhere } from '../../../../host/dispatch/ask-elsewhere.ts';
import { pegboard, type CliResult } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { startScriptedModel, type ScriptedModel } from '../../../../host/testing/index.ts';

const run = (home: TestHome, { baseUrl }: ScriptedModel, input: string): Promise<CliResult> =>
  pegboard([], {
    home: home.path,
    input,
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' },
  });

const greet = manifest('greet', `parameters: [{ name: name, type: string }]\ncommand: echo Hello {{name}}`);

test('over a pipe each line is a message or a slash command, and answers come as they were written', async () => {
  await using home = await createHome({ 'spaces/work/agent/tools/greet.md': greet });
  await using model = await startScriptedModel([
    { text: 'First, **I** greet.', toolCalls: [{ name: 'greet', arguments: { name: 'Ada' } }] },
    { text: '# One' },
    { text: 'Two' },
  ]);
  const result = await run(home, model, 'say hello\n\n/call greet name=Bob\nmore\\\nlines\n/quit\nnever\n');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(/^First, \*\*I\*\* greet\.\n+# One\nHello Bob\nTwo\n$/);
  expect(JSON.stringify(model.requests[2]!.messages.at(-1))).toContain(String.raw`more\nlines`);
  expect(model.refusals).toEqual([]);
});

test('a failed turn makes the exit code 1, and the lines after it still run', async () => {
  await using home = await createHome();
  await using model = await startScriptedModel((_request, index) =>
    index === 0 ? { faults: { status: 401, message: 'no such key' } } : { text: 'Here.' },
  );
  const { code, stdout, stderr } = await run(home, model, 'one\ntwo\n');
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'Here.\n' });
  expect(stderr).toMatch(/^error: .*no such key/);
});

test('an unknown command is reported on stderr, with the nearest one', async () => {
  await using home = await createHome();
  await using model = await startScriptedModel([]);
  const { code, stdout, stderr } = await run(home, model, '/histroy\n');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Did you mean /history?');
});

test('what a command of the chat can’t take is refused, and so is a blank message', async () => {
  await using home = await createHome();
  await using model = await startScriptedModel([]);
  for (const [line, problem] of [
    ['/history abc', '/history takes the number of messages to show, as in /history 50, not "abc".'],
    ['/history 5 6', 'as in /history 50, not "5 6".'],
    ['/history -1', 'as in /history 50, not "-1".'],
    ['/history 0', 'as in /history 50, not "0".'],
    ['/new buy milk', '/new takes nothing after it, not "buy milk".'],
    ['/skills all', '/skills takes nothing after it, not "all".'],
    ['/continue please', '/continue takes nothing after it, not "please".'],
  ] as const) {
    const { code, stdout, stderr } = await run(home, model, `${line}\n`);
    expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  }
  expect((await run(home, model, '/history 3\n')).stderr).toContain('has no messages yet');
  for (const blank of [['   '], [' ', '\t'], ['\n']]) {
    const { code, stderr } = await pegboard(['chat', ...blank], { home: home.path });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('There is no message') as string,
    });
  }
  expect(model.requests).toHaveLength(0);
});

test('a tool that needs a confirmation is declined where nobody can answer', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/ask.md': manifest('ask', 'command: echo ran\nconfirm: true'),
  });
  await using model = await startScriptedModel([
    { toolCalls: [{ name: 'ask', arguments: {} }] },
    { text: 'It was declined.' },
  ]);
  const { code, stdout, stderr } = await run(home, model, 'do it\n');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'It was declined.\n' });
  expect(stderr).toMatch(/^✗ work\.ask: /);
});

test('what waits for the terminal comes on stderr: messages once, and questions of work that nobody attends', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/note.md': manifest('note', 'confirm: true\ncommand: echo noted'),
  });
  await using model = await startScriptedModel([{ text: 'One' }, { text: 'Two' }]);
  await using host = await createHost({ home: home.path, environment: { PATH: process.env['PATH'] } });
  const terminal = host.plugins.instances.flatMap(({ channels }) => channels['terminal'] ?? [])[0]!;
  await terminal.deliver('cli', { text: 'Take the bread out' }, new AbortController().signal);
  const asking = new AbortController();
  await using _asked = { [Symbol.asyncDispose]: async () => asking.abort() };
  const call = {
    name: 'note',
    args: {},
    scope: host.scopeFor(undefined),
    caller: 'watcher:1',
    ask: askElsewhere,
  };
  const running = host.dispatch({ ...call, signal: asking.signal });
  await expect.poll(() => host.questions.list()).toMatchObject([{ unattended: true }]);

  const first = await run(home, model, 'hello\n');
  expect(first).toMatchObject({ code: 0, stdout: 'One\n' });
  expect(first.stderr).toMatch(/Take the bread out\n/);
  expect(first.stderr).toMatch(/Question 1 .*\n┃ echo noted\nin \/.*\n(?:.+\n)?.*asked by watcher:1/);
  asking.abort();
  await running;
  expect(await run(home, model, 'hello\n')).toMatchObject({ code: 0, stdout: 'Two\n', stderr: '' });
});
