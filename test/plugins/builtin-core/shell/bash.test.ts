import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../../../host/api/ask.ts';
import type { CallRequest } from '../../../../host/api/dispatch.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openPluginHome, owner } from '../../../kit/homes/plugin-home.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

const agree: Partial<CallRequest> = { ask: async () => ({ action: 'accept' }) };
const onlyUnknown = { 'builtin-core': { config: { bash: { confirm: 'unknown' } } } };

describe('a command', () => {
  test('returns stdout and stderr apart, in the home', async () => {
    await using home = await openPluginHome({ settings: onlyUnknown });
    const result = await home.call('bash', { command: 'pwd; echo problem >&2' });
    expect(result.content).toEqual([
      { type: 'text', text: `${home.home}\n` },
      { type: 'text', text: '[stderr]\nproblem\n' },
    ]);
    const output = { stdout: `${home.home}\n`, stderr: 'problem\n' };
    expect(result.structured).toEqual({ exitCode: 0, signal: null, ...output });
    const silent = await home.call('bash', { command: 'true' });
    expect(textOf(silent)).toBe('[no output]');
    expect(silent.structured).toMatchObject({ stdout: '', stderr: '' });
  });

  test('starts in the folder that is asked for, inside the roots', async () => {
    await using home = await openPluginHome({ files: { 'sub/x': '' }, settings: onlyUnknown });
    expect(textOf(await home.call('bash', { command: 'ls', cwd: 'sub' }))).toBe('x\n');
    expect((await home.call('bash', { command: 'ls', cwd: '/etc' })).error?.code).toBe('PEG_DENIED');
    expect((await home.call('bash', { command: 'ls', cwd: 'none' })).error?.message).toContain(
      'does not exist',
    );
    expect((await home.call('bash', { command: 'ls', cwd: 'sub/x' })).error?.message).toContain(
      'not a folder',
    );
  });

  test('that fails says how, with both outputs', async () => {
    await using home = await openPluginHome({ settings: onlyUnknown });
    const result = await home.call('bash', { command: 'echo out; echo err >&2; exit 3' }, agree);
    expect(result.error).toEqual({
      code: 'PEG_COMMAND_FAILED',
      stage: 'execute',
      message: 'The command ended with exit code 3.',
      data: { exitCode: 3, signal: null },
    });
    expect(textOf(result)).toBe('The command ended with exit code 3.\nout\n\n[stderr]\nerr\n');
    expect(result.structured).toEqual({ exitCode: 3, signal: null, stdout: 'out\n', stderr: 'err\n' });
  });

  test('is ended with all its processes when time is up, and its output is kept', async () => {
    await using home = await openPluginHome({ settings: onlyUnknown });
    const command = 'echo started; (sleep 600; echo late > late.txt) & sleep 600';
    const result = await home.call('bash', { command, timeout: 0.5 }, { ...owner, ...agree });
    expect(result.error).toMatchObject({
      code: 'PEG_TIMEOUT',
      message: expect.stringContaining('within 0.5 s'),
    });
    expect(textOf(result)).toContain('started\n');
    expect(result.structured).toMatchObject({ exitCode: null, stdout: 'started\n', timedOut: true });
    expect(existsSync(home.path('late.txt'))).toBe(false);
  });

  test('may be given more time than the usual 30 s', async () => {
    await using home = await openPluginHome({ settings: onlyUnknown });
    const tool = home.registry.snapshot.find('bash')!;
    const caller = { caller: 'test', scope: { identity: 'agent', access: {} } } as const;
    expect(tool.timeout).toBe(30);
    expect(await tool.prepare!({ command: 'x', timeout: 600 }, caller)).toMatchObject({ timeout: 605 });
  });

  test('is ended when the call is cancelled', async () => {
    await using home = await openPluginHome({ settings: onlyUnknown });
    const controller = new AbortController();
    const call = home.call(
      'bash',
      { command: 'touch started; sleep 60' },
      { ...owner, ...agree, signal: controller.signal },
    );
    await waitUntil(() => existsSync(home.path('started')));
    controller.abort();
    expect((await call).error?.code).toBe('PEG_CANCELLED');
  });

  test('sees no variable of the host but the harmless ones', async () => {
    expect(process.env).toHaveProperty('VITEST');
    await using home = await openPluginHome({ settings: onlyUnknown });
    const text = textOf(await home.call('bash', { command: 'env' }, agree));
    expect(text).toMatch(/^PATH=/m);
    expect(text).not.toContain('VITEST');
  });

  test('with a long output is cut, and read_artifact has all of it', async () => {
    await using home = await openPluginHome({ settings: onlyUnknown });
    const cut = textOf(await home.call('bash', { command: 'seq 1 20000' }));
    expect(cut).toMatch(/^1\n2\n[^]*characters left out[^]*\n19999\n20000\n$/);
    const id = /read_artifact \{"id":"([^"]+)"/.exec(cut)![1]!;
    let whole = '';
    for (let offset = 0; ;) {
      const page = await home.call('read_artifact', { id, offset, limit: 25_000 });
      whole += (page.content[0] as { text: string }).text;
      const next = /go on with offset (\d+)/.exec(textOf(page));
      if (!next) break;
      offset = Number(next[1]);
    }
    expect(whole).toBe(`${Array.from({ length: 20_000 }, (_, index) => index + 1).join('\n')}\n`);
    const none = await home.call('read_artifact', { id: 'nothing-there' });
    expect(none.error?.code).toBe('PEG_NO_ARTIFACT');
  });
});

describe('a person', () => {
  test('is asked before every command unless the owner decided otherwise, and sees exactly what will run', async () => {
    await using home = await openPluginHome();
    const asked: Question[] = [];
    const command = `echo 'a  b' > x.txt`;
    const result = await home.call(
      'bash',
      { command },
      {
        ask: async (question) => {
          asked.push(question);
          return { action: 'accept' };
        },
      },
    );
    expect(result.error).toBeUndefined();
    expect(asked).toMatchObject([{ detail: command, notes: [`in ${home.home}`, 'not sandboxed'] }]);
    expect(readFileSync(home.path('x.txt'), 'utf8')).toBe('a  b\n');
    expect((await home.call('bash', { command: 'ls' })).error?.code).toBe('PEG_NOBODY_TO_ASK');
  });

  test('is asked before a dangerous command in any case, with the reason', async () => {
    await using home = await openPluginHome({ files: { 'build/x': '' }, settings: onlyUnknown });
    const refused = await home.call('bash', { command: 'ls && rm -r -f build' });
    expect(refused.error).toMatchObject({
      code: 'PEG_NOBODY_TO_ASK',
      message: expect.stringContaining('rm -r deletes folders'),
    });
    expect(existsSync(home.path('build/x'))).toBe(true);
    await home.call('bash', { command: 'rm -rf build' }, agree);
    expect(existsSync(home.path('build'))).toBe(false);
  });

  test("is asked before a command names secrets or Pegboard's own data", async () => {
    await using home = await openPluginHome({
      files: { '.env': 'A=1', 'sub/x': '' },
      settings: onlyUnknown,
    });
    for (const command of [
      'cat .env',
      'cat sub/../.env',
      'cat data/state.json',
      'cd sub; cat ../.env',
      'echo > spaces/a/agent/tools/x.md',
    ])
      expect((await home.call('bash', { command })).error?.code, command).toBe('PEG_NOBODY_TO_ASK');
  });

  test('is asked before every command that is not known to only read and print', async () => {
    await using home = await openPluginHome({ files: { 'notes/a.md': 'one\n' }, settings: onlyUnknown });
    symlinkSync('/etc/ssl', home.path('link'));
    for (const command of free) expect((await home.call('bash', { command })).error, command).toBeUndefined();
    for (const command of unknown)
      expect((await home.call('bash', { command })).error?.code, command).toBe('PEG_NOBODY_TO_ASK');
  });
});

const free = [
  'ls -la notes',
  'cat notes/a.md | tr a-z A-Z | wc -l',
  '/usr/bin/head -n 1 notes/a.md && echo done',
  'for x in 1 2; do echo same; done',
  'sort -n notes/a.md 2>/dev/null',
  'find notes -name a.md',
  'grep -in one notes/a.md',
  'date -u +%s',
  'diff -u notes/a.md notes/a.md',
  'wc -lw notes/a.md',
  'sed -n 1,3p notes/a.md',
  'sort --reverse notes/a.md | uniq --count',
];

const unknown = [
  'python3 -c "import shutil"',
  'npm install left-pad',
  'make',
  './run.sh',
  'curl https://example.com',
  'echo $(id)',
  'cat "$HOME/x"',
  'cat /etc/hostname',
  'cat ../outside',
  'grep -nr x .',
  'sort -no out notes/a.md',
  'sort --outp=out notes/a.md',
  'uniq notes/a.md out',
  'printf -v PATH %s ./bin; ls',
  'git -c core.pager=./x log',
  'git diff --output=x',
  'git commit -m x',
  'sed -i s/a/b/ notes/a.md',
  'find notes -exec sh x {} +',
  'PATH=. ls',
  'ls() { touch x; }; ls',
  'cat < /etc/hostname',
  'test -v "a[$(touch x)]"',
  'mkdir made',
  'date 01010101',
  'date -us2020-01-01',
  'git status',
  'git log -1 -p',
  'git show HEAD:.env',
  `jq -n 'import "config" as $d {search:"~/.docker"}; $d'`,
  'strings @/etc/passwd',
  'wc --files0-from=/etc/passwd',
  'du -aX/etc/passwd',
  'grep -f/etc/passwd notes/a.md',
  'diff --to-file=/etc/passwd notes/a.md',
  'xxd notes/a.md made',
  'shuf -omade notes/a.md',
  'cd /etc; cat hostname',
  "sed -n 1p -e '1e touch x' notes/a.md",
  'sed -n 1p notes/a.md -i',
  'cat ~root/x',
  'cat ~+/x',
  String.raw`cat $'\x{2f}etc/hostname'`,
  String.raw`$'\x63at' notes/a.md`,
  'printf /etc/passwd | wc --files0-from=-',
  'date -uf/etc/hostname',
  'printf ab%n PATH; ls',
  'diff -N notes .',
  'diff notes/a.md .',
  'tree -o made',
  'du -L .',
  'sed -n 1p notes/a.md --in-place',
  'cat link/../hostname',
  'ls > made.txt',
  'ls &> /tmp/made',
  'ls 2>> ../made',
];
