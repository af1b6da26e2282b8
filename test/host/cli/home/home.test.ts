import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageEntry, environment, pegboard, pegboardJson, startPegboard } from '../../../kit/cli.ts';
import { createHome, createUnknownHome, manifest } from '../../../kit/homes/home.ts';
import { findReader } from '../../../kit/homes/read-only.ts';

describe('pegboard init', () => {
  test('makes a home that works at once and that nothing is wrong with', async () => {
    await using folder = await createHome();
    const home = join(folder.path, 'new');
    const { code, stdout } = await pegboard(['init', home]);
    expect(code).toBe(0);
    expect(stdout).toContain('+ spaces/personal/agent/tools/greet.md');
    expect(await pegboard(['call', 'greet', 'name=Ada'], { cwd: home })).toEqual({
      code: 0,
      stdout: 'Hello, Ada!\n',
      stderr: '',
    });
    const { diagnostics } = await pegboardJson<{ diagnostics: unknown[] }>(['tools'], { cwd: home });
    expect(diagnostics).toEqual([]);
    expect(await readdir(join(home, '.vscode/pegboard'))).toContain('tool.schema.json');
    const settings = JSON.parse(await folder.read('new/.vscode/settings.json')) as { 'yaml.schemas': object };
    for (const schema of Object.keys(settings['yaml.schemas']))
      expect(await folder.read(`new/${schema}`)).toContain('$id');
  });

  test('refuses a folder that is a home, and leaves every file that is there', async () => {
    await using home = await createHome();
    expect(await pegboard(['init', home.path])).toMatchObject({ code: 2 });
    expect(await home.read('pegboard.yaml')).toBe('');

    await mkdir(join(home.path, 'other'));
    await home.write('other/.gitignore', 'mine\n');
    const { stdout } = await pegboard(['init', join(home.path, 'other')]);
    expect(stdout).toContain('.gitignore (exists, not changed)');
    expect(await home.read('other/.gitignore')).toBe('mine\n');
  });
});

describe('which home', () => {
  test('--home wins over PEGBOARD_HOME, and that over the nearest folder upward', async () => {
    await using flag = await createHome();
    await using variable = await createHome();
    await using upward = await createHome({ 'deep/er/file': '' });
    const homeOf = async (args: string[], env: Record<string, string>): Promise<string> => {
      const cwd = join(upward.path, 'deep/er');
      return (await pegboardJson<{ home: string }>(['status', ...args], { cwd, env })).home;
    };
    expect(await homeOf([], {})).toBe(upward.path);
    expect(await homeOf([], { PEGBOARD_HOME: variable.path })).toBe(variable.path);
    expect(await homeOf(['--home', flag.path], { PEGBOARD_HOME: variable.path })).toBe(flag.path);
  });

  test('the usual one has the built-in tools before it exists', async () => {
    await using user = await createHome();
    const { code, stdout } = await pegboard(['tools'], { cwd: '/', env: { HOME: user.path } });
    expect(code).toBe(0);
    expect(stdout).toContain('filesystem.read');
  });

  test('one that is named and does not exist is an error, unless the command makes it', async () => {
    await using folder = await createHome();
    const home = join(folder.path, 'not there');
    for (const args of [['tools'], ['doctor'], ['call', 'read'], ['agents', '--home', home]]) {
      const { code, stderr } = await pegboard(
        args,
        args.includes('--home') ? {} : { env: { PEGBOARD_HOME: home } },
      );
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /There is no folder .*not there, which .*`pegboard init '.*not there'` makes a home/,
      );
    }
    expect(existsSync(home)).toBe(false);
    expect(await pegboard(['new', 'tool', 'echo'], { home })).toMatchObject({ code: 0 });
    expect(await pegboard(['tools'], { home })).toMatchObject({ code: 0 });
  });

  test.each(['tools', 'doctor', 'setup --yes --self', 'start', 'call read', 'init'])(
    'what is no folder in its place is said by %s, with what to do',
    async (command) => {
      await using user = await createHome({ '.pegboard': 'mine' });
      const args = command === 'init' ? ['init', join(user.path, '.pegboard')] : command.split(' ');
      const run = async (): Promise<string> => {
        const { code, stderr } = await pegboard(args, { cwd: '/', env: { HOME: user.path } });
        expect(code).toBe(2);
        return stderr;
      };
      expect(await run()).toMatch(
        /\.pegboard is a file, and a home is a folder\. Move it away, or name another/,
      );
      await rm(join(user.path, '.pegboard'));
      await symlink(join(user.path, 'gone'), join(user.path, '.pegboard'));
      expect(await run()).toMatch(/\.pegboard is a link to .*gone, and nothing is there\. Move it away/);
    },
  );

  test('one that may not be read is said, with what to do', async ({ skip }) => {
    const reader = findReader();
    skip(reader.impossible !== undefined, reader.impossible);
    await using home = await createHome();
    await chmod(home.path, 0);
    // Nobody can start a program in it.
    const { code, stderr } = await pegboard(['tools'], { home: home.path, cwd: dirname(home.path), reader });
    await chmod(home.path, 0o700);
    expect(code).toBe(2);
    expect(stderr).toMatch(/The folder .* may not be read by this user: check its permissions/);
  });
});

describe('what a home holds', () => {
  const files = {
    'spaces/work/agent/tools/good.md': manifest('good', 'category: tests\ncommand: echo good'),
    'spaces/work/agent/tools/bad.md': manifest('bad', 'timout: 3\ncommand: echo bad'),
    'spaces/work/agent/agent.yaml': 'id: work\nblockedTools: [good]\n',
  };

  test('tools --json is the registry and what is wrong with it', async () => {
    await using home = await createHome(files);
    const listed = await pegboardJson<{ version: number; tools: { id: string }[]; diagnostics: object[] }>(
      ['tools'],
      { home: home.path },
    );
    expect(Object.keys(listed)).toEqual(['version', 'tools', 'diagnostics']);
    expect(listed.tools.find(({ id }) => id === 'work.good')).toEqual({
      id: 'work.good',
      name: 'good',
      source: expect.any(String) as string,
      kind: 'manifest',
      description: 'The tool good',
      category: 'tests',
      parameters: expect.objectContaining({ type: 'object' }) as object,
      confirm: false,
      timeout: 60,
      title: 'good',
      listed: true,
    });
    expect(listed.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', path: 'spaces/work/agent/tools/bad.md', line: 5 }),
    );
  });

  test('an agent sees only what it may use', async () => {
    await using home = await createHome(files);
    const ids = async (args: string[]): Promise<string[]> =>
      (
        await pegboardJson<{ tools: { id: string }[] }>(['tools', 'work', ...args], { home: home.path })
      ).tools.map(({ id }) => id);
    expect(await ids([])).toEqual(['work.good']);
    expect(await ids(['--agent', 'work'])).toEqual([]);
    const unknown = await pegboard(['tools', '--agent', 'wrok'], { home: home.path });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Did you mean "work"?');
  });

  test('search, show and schema speak JSON', async () => {
    await using home = await createHome(files);
    const found = await pegboardJson<object[]>(['search', 'good', '-k', '1'], { home: home.path });
    expect(found).toEqual([
      { id: 'work.good', name: 'good', description: 'The tool good', score: expect.any(Number) as number },
    ]);
    const nothing = await pegboardJson<{ nearest?: true }[]>(['search', 'xyzzy'], { home: home.path });
    expect(nothing.map(({ nearest }) => nearest)).toEqual([true, true, true]);
    // Tools that find other tools are not results.
    const finders = await pegboardJson<{ id: string }[]>(['search', 'find tools'], { home: home.path });
    expect(finders.filter(({ id }) => id.startsWith('meta.'))).toEqual([]);
    expect(await pegboardJson(['show', 'good'], { home: home.path })).toMatchObject({ id: 'work.good' });
    expect(await pegboardJson(['schema', 'work'], { home: home.path })).toMatchObject({
      module: 'work',
      tools: [{ id: 'work.good', parameters: { type: 'object' } }],
    });
    expect(await pegboard(['show', 'goud'], { home: home.path })).toMatchObject({ code: 4 });
    expect(await pegboard(['schema', 'wrok'], { home: home.path })).toMatchObject({ code: 4 });
  });

  test('a reader that has had enough is no error', async () => {
    await using home = await createHome(files);
    const line = `"${process.execPath}" "${packageEntry()}" --home "${home.path}" schema filesystem --json | head -1`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', line], {
      env: { ...environment(), LC_ALL: 'C' },
      stdio: 'pipe',
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.resume();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('');
  });
});

describe('completion', () => {
  test('a script completes commands, tools, parameters and values in a real bash', async () => {
    await using home = await createHome({
      'spaces/work/agent/tools/paint.md': manifest(
        'paint',
        'parameters:\n  - { name: colour, type: string, enum: [red, green] }\ncommand: echo {{colour}}',
      ),
    });
    const complete = async (line: string): Promise<string[]> => {
      const script = `pegboard() { "${process.execPath}" "${packageEntry()}" "$@"; }
source <(pegboard completion bash)
COMP_LINE=$1 COMP_POINT=\${#1}
_pegboard
printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = environment({ PEGBOARD_HOME: home.path });
      const child = spawn('bash', ['-c', script, 'bash', line], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      await once(child, 'close');
      return stdout.split('\n').filter(Boolean);
    };
    expect(await complete('pegboard sta')).toEqual(['start', 'status']);
    expect(await complete('pegboard mcp a')).toEqual(['add', 'approve']);
    expect(await complete('pegboard call pai')).toEqual(['paint']);
    expect(await complete('pegboard call work.')).toEqual(['work.paint']);
    expect(await complete('pegboard call paint ')).toEqual(['colour=']);
    expect(await complete('pegboard call paint colour=')).toEqual(['red', 'green']);
    expect(await complete('pegboard call --y')).toEqual(['--yes']);
    expect(await complete('pegboard schema wo')).toContain('work');
  });

  test.each(['bash', 'zsh', 'fish'])('there is one for %s', async (shell) => {
    const { code, stdout } = await pegboard(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('pegboard complete');
  });
});

describe('running until stopped', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('start ends with 0 at %s', async (signal) => {
    await using home = await createHome();
    await using running = startPegboard(['start'], { home: home.path });
    await running.waitFor(/running \d+ tools/);
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code: 0, stdout: '' });
  });

  test('serve --http says how to connect, and the token works', async () => {
    await using home = await createHome();
    await using running = startPegboard(['serve', '--http', '0'], { home: home.path });
    const shown = await running.waitFor(/Cursor/);
    const url = /serving (\S+)/.exec(shown)![1]!;
    const token = /token +(\S+)/.exec(shown)![1]!;
    expect(shown).toContain(`claude mcp add --transport http pegboard ${url}`);
    const ping = (headers: Record<string, string>): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          },
        }),
      });
    expect((await ping({})).status).toBe(401);
    expect((await ping({ authorization: `Bearer ${token}` })).status).toBe(200);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stdout: '' });
  });

  test('a token from the config is not printed', async () => {
    await using home = await createHome({ 'pegboard.yaml': 'serve: { token: "${PEG_TEST_TOKEN}" }\n' });
    await using running = startPegboard(['serve', '--http', '127.0.0.1:0'], {
      home: home.path,
      env: { PEG_TEST_TOKEN: 'correct-horse-battery' },
    });
    expect(await running.waitFor(/Cursor/)).not.toContain('correct-horse');
  });

  test('serve speaks MCP on stdin and stdout and ends with its client', async () => {
    await using home = await createHome();
    await using running = startPegboard(['serve'], { home: home.path });
    running.child.stdin.write(
      `${JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      })}\n`,
    );
    await running.waitFor(/"protocolVersion"/);
    running.child.stdin.end();
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ result: { serverInfo: { name: 'pegboard' } } });
  });
});

test.each(['start', 'init', 'setup'])(
  '%s in a place where no folder can be made says so, instead of trying without end',
  async (command) => {
    const { code, stderr } = await pegboard([command], { home: '/proc/1/pegboard-home' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        "/proc/1/pegboard-home can't be a home: the folder can't be made",
      ) as string,
    });
  },
);

test('init of nothing, as of an unset variable in a script, makes no home', async () => {
  await using folder = await createUnknownHome();
  const { code, stderr } = await pegboard(['init', ''], { cwd: folder.path });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('The folder has no name.') as string,
  });
});

test('commands keep the line ends of a configuration file', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'name: mine\r\nmodels: {}\r\n' });
  const set = await pegboard(['models', 'set', 'ollama/some', '--anyway'], { home: home.path });
  expect(set).toMatchObject({ code: 0 });
  const text = await home.read('pegboard.yaml');
  expect(text).toContain('ollama/some');
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('agents names files that are broken, and several that are the default', async () => {
  await using home = await createHome({
    'spaces/s/agent/agents/one.yaml': 'default: true\n',
    'spaces/s/agent/agents/two.yaml': 'default: true\n',
    'spaces/s/agent/agents/bad.yaml': 'name: [\n',
  });
  const { stderr } = await pegboard(['agents'], { home: home.path });
  expect(stderr).toContain('all say default: true; the first answers');
  expect(stderr).toContain('broken: spaces/s/agent/agents/bad.yaml');
});
