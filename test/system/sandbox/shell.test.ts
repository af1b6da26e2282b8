import { existsSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { createHost } from '../../../host/exports/embed.ts';
import { textOf, type CallRequest, type Question, type ToolResult } from '../../../host/index.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

const problem = await sandboxProblem();

interface Shell extends AsyncDisposable {
  readonly home: TestHome;
  readonly questions: Question[];
  run(
    command: string,
    more?: Partial<CallRequest> & { readonly timeout?: number; readonly cwd?: string },
  ): Promise<ToolResult>;
}

/** The shell of a home's agent `work`; every question is answered with yes. */
async function openShell(
  files: { readonly [file: string]: string },
  { byLink = false }: { readonly byLink?: boolean } = {},
): Promise<Shell> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await createHome(files));
  const link = `${home.path}-link`;
  if (byLink) {
    await symlink(home.path, link);
    opened.defer(() => rm(link));
  }
  const host = opened.use(await createHost({ home: byLink ? link : home.path, mcp: 'off' }));
  const questions: Question[] = [];
  const held = opened.move();
  return {
    home,
    questions,
    run: (command, { timeout, cwd, ...more } = {}) =>
      host.dispatch({
        name: 'filesystem.bash',
        args: { command, ...(timeout !== undefined && { timeout }), ...(cwd !== undefined && { cwd }) },
        scope: host.scopeFor('work'),
        caller: 'test',
        ask: async (question) => {
          questions.push(question);
          return { action: 'accept', content: {} };
        },
        ...more,
      }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const agent = (sandbox: string): { readonly [file: string]: string } => ({
  'spaces/work/workspace/README.md': '',
  'spaces/work/agent/agent.yaml': `id: work\n${sandbox}\n`,
});
const config = (confirm: string): { readonly [file: string]: string } => ({
  'pegboard.yaml': `plugins: { builtin-core: { config: { bash: { confirm: ${confirm} } } } }\n`,
});

test('the question says that nothing confines a command', async () => {
  await using shell = await openShell(agent(''));
  await shell.run('true');
  expect(shell.questions).toMatchObject([
    { detail: 'true', notes: [`in ${shell.home.path}`, 'not sandboxed'] },
  ]);
});

describe.skipIf(problem !== undefined)('where bubblewrap works', () => {
  test("an agent's sandbox holds for its shell, and the question and the failure say so", async () => {
    await using shell = await openShell(agent('sandbox: workspace'));
    const workspace = 'spaces/work/workspace';
    expect(await shell.run('echo ok > notes.txt && cat notes.txt', { cwd: workspace })).toMatchObject({
      content: [{ text: 'ok\n' }],
    });
    expect(shell.questions[0]!.notes).toContain(
      `sandboxed (workspace): no network, writes only in ${shell.home.path}/${workspace}`,
    );
    const failed = await shell.run('echo evil >> spaces/work/agent/agent.yaml');
    expect(textOf(failed)).toMatch(/Read-only file system/);
    expect(failed.error?.message).toContain('it ran sandboxed (workspace): no network');
    expect(await shell.home.read('spaces/work/agent/agent.yaml')).not.toContain('evil');
  });

  test('with confirm: unsandboxed only a confined command runs without being asked about', async () => {
    await using free = await openShell({ ...config('unsandboxed'), ...agent('') });
    await free.run('true');
    expect(free.questions).toHaveLength(1);
    await using confined = await openShell({ ...config('unsandboxed'), ...agent('sandbox: strict') });
    const result = await confined.run('echo $((6 * 7))');
    expect(textOf(result)).toBe('42\n');
    expect(confined.questions).toHaveLength(0);
    const dangerous = await confined.run('rm -rf nothing-of-that-name', {
      ask: async () => ({ action: 'decline' }),
    });
    expect(dangerous.error?.code).toBe('PEG_DECLINED');
  });

  test('a command that is stopped may still say goodbye, and nothing of it is left', async () => {
    await using shell = await openShell(agent('sandbox: workspace'));
    const command = `trap 'echo bye > spaces/work/workspace/bye.txt; exit' TERM; (setsid sleep 987 &) ; while true; do sleep 0.05; done`;
    const stopped = await shell.run(command, { timeout: 0.4 });
    expect(stopped.error?.code).toBe('PEG_TIMEOUT');
    expect(await shell.home.read('spaces/work/workspace/bye.txt')).toBe('bye\n');
    expect(await processesOf('987')).toEqual([]);
  });

  test('a command that has more memory or processes than its sandbox says is ended, and told why', async () => {
    await using shell = await openShell(agent('sandbox: { level: strict, memory: 200, processes: 20 }'));
    const hungry = await shell.run(`head -c 1G /dev/zero | tail -c 900M | wc -c; sleep 30`, { timeout: 20 });
    expect(hungry.error).toMatchObject({
      code: 'PEG_LIMIT',
      message: expect.stringMatching(/200 MB is the limit/),
    });
    const forking = await shell.run('for i in $(seq 60); do sleep 30 & done; wait', { timeout: 20 });
    expect(forking.error).toMatchObject({
      code: 'PEG_LIMIT',
      message: expect.stringMatching(/20 is the limit/),
    });
  });

  test('of listed folders only those with write: free can be written to', async () => {
    await using folder = await createHome({
      'free/a.txt': 'old',
      'asked/a.txt': 'old',
      'plain/a.txt': 'old',
    });
    const path = (name: string): string => join(folder.path, name);
    const roots = [
      { path: path('free'), write: 'free' },
      { path: path('asked'), write: 'ask' },
      path('plain'),
    ];
    await using shell = await openShell({
      ...agent('sandbox: workspace'),
      'pegboard.yaml': JSON.stringify({ plugins: { 'builtin-core': { config: { roots } } } }),
    });
    await shell.run(`for d in free asked plain; do echo new > ${folder.path}/$d/a.txt; done`);
    const texts = await Promise.all(['free', 'asked', 'plain'].map((name) => folder.read(`${name}/a.txt`)));
    expect(texts).toEqual(['new\n', 'old', 'old']);
  });

  test.each([
    ['', { byLink: false }],
    [', also where the home is reached by a link', { byLink: true }],
  ])('configuration and folders of tools that are missing cannot be put there%s', async (_where, how) => {
    await using shell = await openShell(agent('sandbox: workspace'), how);
    const lines = ['.mcp.json', 'plugins/evil/plugin.yaml', 'spaces/evil/agent/tools/x.yaml'].map(
      (file) => `mkdir -p $(dirname ${file}); echo evil > ${file}`,
    );
    await shell.run(lines.join('\n'));
    expect(existsSync(join(shell.home.path, '.mcp.json'))).toBe(false);
    expect(existsSync(join(shell.home.path, 'plugins/evil'))).toBe(false);
    expect(existsSync(join(shell.home.path, 'spaces/evil'))).toBe(false);
  });
});

async function processesOf(argument: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.split('\0').includes(argument));
}
