import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { pegboard, pegboardJson, startPegboard } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

const tools = 'spaces/work/agent/tools';

/** A home with one tool for every way in which a call can end. */
function homeWithTools(): Promise<TestHome> {
  return createHome({
    [`${tools}/greet.md`]: manifest(
      'greet',
      `parameters:
  - { name: name, type: string, required: true }
  - { name: times, type: integer, default: 1 }
  - { name: loud, type: boolean }
command: printf '%s %s %s\\n' {{name}} {{times}} {{#if loud}}loud{{else}}soft{{/if}}`,
    ),
    [`${tools}/list.md`]: manifest(
      'list',
      `parameters:
  - { name: items, type: array, items: { type: string } }
command: printf '[%s]' {{items}}`,
    ),
    [`${tools}/data.md`]: manifest('data', `command: echo '{"n":1}'\noutput: json`),
    [`${tools}/fail.md`]: manifest('fail', `command: sh -c 'echo oops >&2; exit 7'`),
    [`${tools}/ask.md`]: manifest('ask', 'command: echo ran\nconfirm: true'),
    [`${tools}/slow.md`]: manifest('slow', 'command: sleep 60\ntimeout: 0.2'),
    [`${tools}/wait.md`]: manifest('wait', 'command: sleep 61.25'),
    [`spaces/work/agent/agent.yaml`]: 'id: work\nblockedTools: [fail]\n',
  });
}

interface CallJson {
  readonly tool: string;
  readonly ok: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structured?: unknown;
  readonly error?: { readonly code: string; readonly stage: string; readonly message: string };
  readonly ms: number;
}

describe('pegboard call', () => {
  test('takes a parameter that looks like an option', async () => {
    await using home = await createHome({ 'a.txt': 'one\ntwo\nthree\n' });
    const { code, stdout } = await pegboard(['call', 'grep', 'pattern=two', '-C=1', 'path=a.txt'], {
      home: home.path,
    });
    expect(code).toBe(0);
    for (const line of ['one', 'two', 'three']) expect(stdout).toContain(line);
    const unknown = await pegboard(['call', 'grep', '-C', '1'], { home: home.path });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no option -C') as string });
  });

  test('prints what the tool returned, and nothing else', async () => {
    await using home = await homeWithTools();
    expect(await pegboard(['call', 'greet', 'name=Ada Lovelace'], { home: home.path })).toEqual({
      code: 0,
      stdout: 'Ada Lovelace 1 soft\n',
      stderr: '',
    });
  });

  test.each([
    [['greet', 'name=5', 'times=3', 'loud=yes'], '5 3 loud\n'],
    [['work.greet', '--args', '{"name": "Ada"}'], 'Ada 1 soft\n'],
    [['work__greet', '--args', '{"name": "Ada", "times": 2}', 'times=4'], 'Ada 4 soft\n'],
    [['list', 'items=a b', 'items=c'], '[a b][c]\n'],
    [['list', 'items=["x", "y"]'], '[x][y]\n'],
  ])('%j', async (args, stdout) => {
    await using home = await homeWithTools();
    expect(await pegboard(['call', ...args], { home: home.path })).toMatchObject({ code: 0, stdout });
  });

  test('takes its arguments from stdin and from a file', async () => {
    await using home = await homeWithTools();
    const file = await home.write('args.json', '\ufeff{"name": "File"}');
    const fromStdin = { home: home.path, input: '{"name": "Stdin"}' };
    expect((await pegboard(['call', 'greet', '--args', '-'], fromStdin)).stdout).toBe('Stdin 1 soft\n');
    expect((await pegboard(['call', 'greet', '--args', `@${file}`], { home: home.path })).stdout).toBe(
      'File 1 soft\n',
    );
  });

  test.each([
    [['--tool', 'greet', '--args', '{"name":"Ada"}']],
    [['--args', '{"name":"Ada"}', '--tool=greet']],
  ])('is what %j means too', async (args) => {
    await using home = await homeWithTools();
    expect(await pegboard(args, { home: home.path })).toMatchObject({ code: 0, stdout: 'Ada 1 soft\n' });
  });

  test('--json is the result as one document', async () => {
    await using home = await homeWithTools();
    const result = await pegboardJson<CallJson>(['call', 'data'], { home: home.path });
    expect(result).toEqual({
      tool: 'work.data',
      ok: true,
      content: [{ type: 'text', text: expect.any(String) as string }],
      structured: { n: 1 },
      ms: expect.any(Number) as number,
    });
  });
});

describe('the exit code of a call, and its failure as JSON', () => {
  test.each([
    ['1 when the tool failed', ['fail'], 1, 'PEG_COMMAND_FAILED', 'execute'],
    ['2 when an argument is missing', ['greet'], 2, 'PEG_INVALID_ARGUMENTS', 'validate'],
    [
      '2 when an argument has the wrong type',
      ['greet', 'name=a', 'times=x'],
      2,
      'PEG_INVALID_ARGUMENTS',
      'validate',
    ],
    [
      '2 when there is an argument too many',
      ['greet', 'name=a', 'nmae=b'],
      2,
      'PEG_INVALID_ARGUMENTS',
      'validate',
    ],
    ['2 when a word is no key=value', ['greet', 'Ada'], 2, 'PEG_USAGE', 'validate'],
    ['2 when --args is no JSON', ['greet', '--args', '{name}'], 2, 'PEG_USAGE', 'validate'],
    ['2 when --args is no object', ['greet', '--args', '[1]'], 2, 'PEG_INVALID_ARGUMENTS', 'validate'],
    ['3 when nobody is there to confirm', ['ask'], 3, 'PEG_NOBODY_TO_ASK', 'confirm'],
    [
      '3 when the agent may not use the tool',
      ['fail', '--agent', 'work'],
      3,
      'PEG_TOOL_UNAVAILABLE',
      'resolve',
    ],
    ['4 when there is no such tool', ['gret', 'name=a'], 4, 'PEG_TOOL_NOT_FOUND', 'resolve'],
    ['124 when it took too long', ['slow'], 124, 'PEG_TIMEOUT', 'execute'],
  ])('is %s', async (_, args, code, error, stage) => {
    await using home = await homeWithTools();
    const { stdout, ...result } = await pegboard(['call', ...args, '--json'], { home: home.path });
    expect(result).toEqual({ code, stderr: '' });
    expect(JSON.parse(stdout) as CallJson).toMatchObject({ ok: false, error: { code: error, stage } });
  });

  test('for people, a failure is one paragraph on stderr', async () => {
    await using home = await homeWithTools();
    const { stdout, stderr } = await pegboard(['call', 'gret'], { home: home.path });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: There is no tool "gret"\. Did you mean work\.greet.*\n$/);
  });

  test('a tool whose file is broken is reported with the place in it', async () => {
    await using home = await homeWithTools();
    const file = await home.write(`${tools}/broken.md`, manifest('broken', 'command: date\nparameters: {}'));
    for (const name of ['broken', 'work.broken']) {
      const { code, stderr } = await pegboard(['call', name], { home: home.path });
      expect(code).toBe(4);
      expect(stderr).toContain(`error: broken is broken. ${file}:6:13: "parameters" must be of type array`);
    }
  });

  test('a misspelled parameter is reported with the nearest one', async () => {
    await using home = await homeWithTools();
    const { stderr } = await pegboard(['call', 'greet', 'nmae=Ada'], { home: home.path });
    expect(stderr).toContain('nmae → name?');
  });

  test('--yes answers for the person who is not there', async () => {
    await using home = await homeWithTools();
    expect(await pegboard(['call', 'ask', '--yes'], { home: home.path })).toMatchObject({
      code: 0,
      stdout: 'ran\n',
    });
  });

  test('SIGINT stops the tool and exits with 130, also when npm passes it on a second time', async () => {
    await using home = await homeWithTools();
    await using running = startPegboard(['call', 'wait'], { home: home.path });
    await waitUntil(
      () => processesRunning('sleep 61.25'),
      ({ length }) => length > 0,
    );
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    expect(await processesRunning('sleep 61.25')).toEqual([]);
  });
});

async function processesRunning(command: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.map((line) => line.replaceAll('\0', ' ').trim()).filter((line) => line === command);
}
