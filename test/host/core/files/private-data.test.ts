import { spawn } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtempDisposable, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { packageEntry, environment, follow, pegboard, type RunningCli } from '../../../kit/cli.ts';
import { createUnusedHome, manifest, type TestHome } from '../../../kit/homes/home.ts';

const fixture = join(import.meta.dirname, '../../../fixtures/mcp/tells.ts');

/** Everything under data/ that others can access. */
async function looseIn({ path }: TestHome): Promise<readonly string[]> {
  const data = join(path, 'data');
  const names = await readdir(data, { recursive: true }).catch(() => undefined);
  if (!names) return [];
  const all = await Promise.all(
    ['.', ...names].map(async (name) => {
      const { mode } = await lstat(join(data, name)).catch(() => ({ mode: 0 }));
      return (mode & 0o077) === 0 ? [] : [`${name} ${(mode & 0o777).toString(8)}`];
    }),
  );
  return all.flat();
}

/** `pegboard` in a process whose umask takes no permission away. */
function withoutUmask(args: readonly string[], home: TestHome): RunningCli {
  const script = 'umask 000; exec "$@"';
  const words = ['-c', script, 'sh', process.execPath, packageEntry(), '--home', home.path, ...args];
  return follow(spawn('sh', words, { cwd: home.path, env: environment({}) }));
}

/** Commands with their input. */
const commands: readonly (readonly [args: readonly string[], input?: string])[] = [
  [['tools']],
  [['call', 'hello']],
  [['call', 'memory_store', 'content=a']],
  [['call', 'big']],
  [['secret', 'set', 'NAME'], 'value-of-it'],
  [['approvals']],
  [['approvals', 'revoke', 'x']],
  [['plugins', 'reload', 'builtin-web']],
  [['approvals', 'allow', 'dice', '--yes']],
  [['mcp', 'list']],
  [['mcp', 'add', 'more', '--', process.execPath, fixture]],
  [['schedule', 'add', '2099-01-01T08:00', 'wake up']],
  [['memory', 'list']],
  [['status']],
  [['doctor']],
  [['logs']],
  [['chat', 'hi']],
  [[], 'hi\n'],
  [['serve', '--stdio'], ''],
];

test('whichever command is the first, all that it stores is for this user alone, without a umask too', async () => {
  await using model = await startScriptedModel(() => ({ text: 'hello' }));
  const config = {
    ...(JSON.parse(configFor(model)) as object),
    mcpServers: { told: { command: process.execPath, args: [fixture] } },
  };
  const files = {
    'pegboard.yaml': JSON.stringify(config),
    'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\n',
    'plugins/dice/index.ts':
      "import { definePlugin } from 'pegboard';\nexport default definePlugin({ setup: () => ({}) });\n",
    'spaces/s/agent/tools/hello.md': manifest('hello', 'command: echo hello'),
    'spaces/s/agent/tools/big.md': manifest('big', 'command: seq 20000'),
  };
  const kept: string[] = [];
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  for (const [args, input = ''] of commands) {
    await using home = await createUnusedHome(files);
    const { code } = await pegboard(args, { home: home.path, input });
    expect(code, `pegboard ${args.join(' ')} is a command`).not.toBe(2);
    expect(await looseIn(home), `pegboard ${args.join(' ')}`).toEqual([]);
    kept.push(...(await readdir(join(home.path, 'data')).catch(() => [])));
  }
  for (const name of ['state.json', 'pegboard.db', 'logs', 'secrets', 'artifacts', 'mcp'])
    expect(kept).toContain(name);
});

test('a running host stores its copies, marks and keys for this user alone, without a umask too', async () => {
  await using home = await createUnusedHome({
    'spaces/s/agent/tools/hello.md': manifest('hello', 'command: echo hello'),
  });
  await pegboard(['call', 'memory_store', 'content=a'], { home: home.path });
  await using _running = withoutUmask(['start', '--http', '0'], home);
  await expect
    .poll(() => readdir(join(home.path, 'data/backups')).catch(() => []), { timeout: 30_000 })
    .toContainEqual(expect.stringMatching(/^daily-.*\.db$/));
  expect(await looseIn(home)).toEqual([]);
});

test('what others could read is made private when a host opens, and doctor says so', async () => {
  await using home = await createUnusedHome({
    'spaces/s/agent/tools/hello.md': manifest('hello', 'command: echo hello'),
  });
  await pegboard(['call', 'memory_store', 'content=a'], { home: home.path });
  await writeFile(join(home.path, 'data/state.json'), '{}');
  const loosen = async (): Promise<void> => {
    for (const [name, mode] of [
      ['', 0o755],
      ['state.json', 0o644],
      ['pegboard.db', 0o666],
      ['logs', 0o775],
    ] as const)
      await chmod(join(home.path, 'data', name), mode);
  };
  await loosen();
  await pegboard(['call', 'hello'], { home: home.path });
  expect(await looseIn(home)).toEqual([]);
  await loosen();
  const { stdout } = await pegboard(['doctor'], { home: home.path });
  expect(stdout).toMatch(/data +other users of this machine could read data and 3 more/);
  expect(await looseIn(home)).toEqual([]);
  await rm(join(home.path, 'data'), { recursive: true });
});

test('the folder of what was approved is closed to others when a host opens', async () => {
  await using home = await createUnusedHome({
    'spaces/s/agent/tools/hello.md': manifest('hello', 'command: echo hello'),
  });
  await using state = await mkdtempDisposable(join(tmpdir(), 'pegboard-state-'));
  const env = { XDG_STATE_HOME: state.path, PEGBOARD_TRUST_HOME: home.path };
  const folder = join(state.path, 'pegboard');
  await mkdir(folder, { mode: 0o777 });
  await chmod(folder, 0o777);
  const { stdout } = await pegboard(['doctor'], { home: home.path, env });
  expect(stdout).toContain(`other users of this machine could read ${folder}`);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
