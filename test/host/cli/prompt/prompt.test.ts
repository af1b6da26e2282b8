import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

const tools = 'spaces/work/agent/tools';

function homeWithTools(): Promise<TestHome> {
  return createHome({
    [`${tools}/greet.md`]: manifest(
      'greet',
      `tags: [salutation]
parameters:
  - { name: name, type: string, required: true, description: Whom to greet }
  - { name: mood, type: string, enum: [glad, sad], required: true }
command: printf 'Hello %s, I am %s\\n' {{name}} {{mood}}`,
    ),
    [`${tools}/ask.md`]: manifest('ask', 'command: echo ran\nconfirm: true'),
    [`${tools}/wait.md`]: manifest('wait', 'command: sleep 62.5'),
  });
}

describe('with no terminal on stdin', () => {
  test('commands are read line by line', async () => {
    await using home = await homeWithTools();
    const input = `# a comment
call greet name=Ada mood=glad

greet name='Ada L.' mood=sad
/show greet
search salutation
quit
call greet name=never mood=glad
`;
    const { code, stdout, stderr } = await pegboard([], { home: home.path, input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Hello Ada, I am glad\nHello Ada L., I am sad\nwork.greet');
    expect(stdout).not.toContain('never');
  });

  test('a line that fails does not stop the next, and the last one decides the exit code', async () => {
    await using home = await homeWithTools();
    const good = 'call greet name=Ada mood=glad\n';
    expect(await pegboard([], { home: home.path, input: `call nothing\n${good}` })).toMatchObject({
      code: 0,
      stdout: 'Hello Ada, I am glad\n',
      stderr: expect.stringContaining('There is no tool "nothing".') as string,
    });
    expect(await pegboard([], { home: home.path, input: `${good}call nothing` })).toMatchObject({ code: 4 });
    expect(await pegboard([], { home: home.path, input: `${good}ask\n` })).toMatchObject({ code: 3 });
  });

  test('a wish is answered with the calls that could fulfil it', async () => {
    await using home = await homeWithTools();
    const { code, stdout } = await pegboard([], { home: home.path, input: 'a salutation, please\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('call work.greet name=… mood=…');
    expect(stdout).not.toContain('Hello');
  });

  test('a wish that no tool fulfils is 4, a mistaken command 2', async () => {
    await using home = await homeWithTools();
    expect(await pegboard([], { home: home.path, input: 'xyzzy plugh\n' })).toMatchObject({ code: 4 });
    expect(await pegboard([], { home: home.path, input: '/tols\n' })).toMatchObject({ code: 2 });
    expect(await pegboard([], { home: home.path, input: 'tools --jsn\n' })).toMatchObject({ code: 2 });
  });

  test('nothing on stdin is nothing to do, and says what pegboard is', async () => {
    await using home = await homeWithTools();
    const { code, stdout, stderr } = await pegboard([], { home: home.path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('On a terminal, Pegboard is a prompt');
  });
});

/** Keys are only sent when the prompt is shown again: the terminal may drop what is typed before. */
describe('on a terminal', () => {
  test('a wish finds the tool, asks for what it needs, shows what will run, and runs it', async () => {
    await using home = await homeWithTools();
    await using session = startOnTerminal([], { home: home.path });
    const { stdin } = session.child;
    await session.waitFor(/›/);
    stdin.write(`a salutation, please${keys.enter}`);
    await session.waitFor(/Which tool\?[^]*work\.greet/);
    stdin.write(keys.enter);
    await session.waitFor(/name: Whom to greet/);
    stdin.write(`Ada; rm -rf /${keys.enter}`);
    await session.waitFor(/● glad/);
    stdin.write(keys.down);
    await session.waitFor(/● sad/);
    stdin.write(keys.enter);
    await session.waitFor(/Run work\.greet\?[^]*Yes, this once/);
    expect(await session.waitFor(/'Ada; rm -rf \/'/)).toContain('printf');
    stdin.write('y');
    await session.waitFor(/Hello Ada; rm -rf \/, I am sad[^]*›/);
    stdin.write(keys.ctrlD);
    expect(await session.ended).toMatchObject({ code: 0 });
  });

  test('"no" is respected, "always" is remembered, and a revoked approval asks again', async () => {
    await using home = await homeWithTools();
    const run = async (answer: string): Promise<string> => {
      await using session = startOnTerminal(['call', 'ask'], { home: home.path });
      await session.waitFor(/Always[^]*● No/);
      session.child.stdin.write(answer);
      const { stdout, code } = await session.ended;
      return `${code} ${/^ran\r$/m.test(stripVTControlCharacters(stdout)) ? 'ran' : 'not run'}`;
    };
    expect(await run('n')).toBe('3 not run');
    expect(await run('y')).toBe('0 ran');
    expect(await run('a')).toBe('0 ran');
    expect(await pegboard(['call', 'ask'], { home: home.path })).toMatchObject({ code: 0, stdout: 'ran\n' });
    expect((await pegboard(['approvals', 'list'], { home: home.path })).stdout).toMatch(/work\.ask .*holds/);
    await pegboard(['approvals', 'revoke', 'ask'], { home: home.path });
    expect(await pegboard(['call', 'ask'], { home: home.path })).toMatchObject({ code: 3 });
  });

  test('a tool that only reads runs without a question, one that changes something is not guessed from a word', async () => {
    await using home = await createHome({
      [`${tools}/moon.yaml`]:
        'id: moon\nname: Moon\ndescription: Says which phase the moon is in\nreadOnly: true\ncommand: echo full moon\n',
      [`${tools}/wipe.yaml`]:
        'id: wipe\nname: Wipe\ndescription: Obliterates the moonbase\ncommand: echo done with it\n',
    });
    await using session = startOnTerminal([], { home: home.path });
    const { stdin } = session.child;
    const say = (line: string): boolean => stdin.write(`${line}${keys.enter}`);
    await session.next(/No model is connected[^]*setup[^]*›/);
    say('which phase is the moon in');
    await session.next(/Which tool\?[^]*work\.moon/);
    stdin.write(keys.enter);
    await session.next(/full moon\s[^]*›/);
    say('obliterates');
    await session.next(/alone chooses no tool that changes something[^]*›/);
    say('clear');
    await session.next(/›/);
    say('tool');
    expect(await session.next(/work\.wipe[^]*›/)).not.toContain('done with it');
    say('exit');
    expect(await session.ended).toMatchObject({ code: 0 });
  });

  test('Ctrl-C stops the running tool and not the session', async () => {
    await using home = await homeWithTools();
    await using session = startOnTerminal([], { home: home.path });
    const { stdin } = session.child;
    await session.waitFor(/›/);
    stdin.write(`wait${keys.enter}`);
    await session.waitFor(/Running work\.wait/);
    stdin.write(keys.ctrlC);
    await session.waitFor(/work\.wait was cancelled[^]*›/);
    stdin.write(`call greet name=Ada mood=glad${keys.enter}`);
    await session.waitFor(/Hello Ada[^]*›/);
    stdin.write(`quit${keys.enter}`);
    expect(await session.ended).toMatchObject({ code: 0 });
  });

  test('Tab completes tools, parameters and values', async () => {
    await using home = await homeWithTools();
    await using session = startOnTerminal([], { home: home.path });
    const { stdin } = session.child;
    await session.waitFor(/›/);
    stdin.write(`gree${keys.tab}`);
    await session.waitFor(/greet /);
    stdin.write(`na${keys.tab}`);
    await session.waitFor(/greet name=/);
    stdin.write(`Ada mood=g${keys.tab}`);
    await session.waitFor(/name=Ada mood=glad/);
    stdin.write(keys.enter);
    await session.waitFor(/Hello Ada, I am glad[^]*›/);
    stdin.write(keys.ctrlD);
    await session.ended;
  });

  test('lines are remembered from session to session', async () => {
    await using home = await homeWithTools();
    await using first = startOnTerminal([], { home: home.path });
    await first.waitFor(/›/);
    first.child.stdin.write(`greet name=Ada mood=sad${keys.enter}`);
    await first.waitFor(/I am sad[^]*›/);
    first.child.stdin.write(keys.ctrlD);
    await first.ended;
    await using second = startOnTerminal([], { home: home.path });
    await second.waitFor(/›/);
    second.child.stdin.write(`${keys.up}${keys.enter}`);
    await second.waitFor(/Hello Ada, I am sad[^]*›/);
    second.child.stdin.write(keys.ctrlD);
    await second.ended;
  });

  test('colours are shown, unless NO_COLOR says otherwise', async () => {
    await using home = await homeWithTools();
    const show = async (env: Record<string, string>): Promise<string> => {
      await using shown = startOnTerminal(['show', 'greet'], { home: home.path, env });
      return (await shown.ended).stdout;
    };
    expect(await show({})).toContain('\x1b[1mwork.greet');
    expect(await show({ NO_COLOR: '1' })).not.toContain('\x1b[');
  });
});
