import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnvironment } from '../../../../host/core/processes/environment.ts';
import {
  runProcess,
  type ProcessOptions,
  type ProcessResult,
} from '../../../../host/core/processes/process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegboard-process-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (argv: readonly string[], options: Partial<ProcessOptions> = {}): Promise<ProcessResult> =>
  runProcess({ argv, cwd: folder, environment: childEnvironment(process.env), ...options });
const bash = (script: string, options: Partial<ProcessOptions> = {}): Promise<ProcessResult> =>
  run(['bash', '-c', script], options);

/** Aborts as soon as the script prints something. */
function whenReady(script: string): Promise<ProcessResult> {
  const controller = new AbortController();
  return bash(script, { signal: controller.signal, onOutput: () => controller.abort() });
}

/** Ended, or a zombie. */
function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}
const goneSoon = (pid: number): Promise<void> => expect.poll(() => isGone(pid), { interval: 5 }).toBe(true);
const pidIn = async (name: string): Promise<number> => Number(await readFile(join(folder, name), 'utf8'));

describe('a program that ends by itself', () => {
  test('gives its output, its exit code and nothing left over', async () => {
    const result = await bash('echo out; echo err >&2; exit 3');
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      ended: 'exit',
      stdout: 'out\n',
      stderr: 'err\n',
      omitted: { stdout: 0, stderr: 0 },
      leftovers: 0,
    });
  });

  test('gets its arguments byte for byte, without a shell', async () => {
    const argument = ' $(touch x) "quoted" *\n\u{1f600}\u0007';
    const result = await run(['printf', '%s', argument]);
    expect(result.stdout).toBe(argument);
  });

  test('gets no descriptor that this process has inherited', async () => {
    const file = join(folder, 'kept.txt');
    await writeFile(file, 'kept');
    const module = join(import.meta.dirname, '../../../../host/core/processes/process.ts');
    const look = 'ls -l /proc/self/fd; cat /proc/self/fd/29';
    const options = { argv: ['bash', '-c', look], cwd: folder, environment: { PATH: process.env['PATH'] } };
    const script = `import(${JSON.stringify(module)}).then(({ runProcess }) => runProcess(${JSON.stringify(options)})).then(({ stdout }) => console.log(stdout))`;
    const opener = spawn('bash', ['-c', 'exec 29<"$0"; exec "$@"', file, process.execPath, '-e', script]);
    let printed = '';
    opener.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await once(opener, 'close');
    expect(printed).toContain('29 -> /dev/null');
    expect(printed).not.toContain('kept');
  });

  test('finds its standard input closed', async () => {
    const result = await run(['cat']);
    expect(result).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('reads the text that it is given', async () => {
    const text = 'line ä\n'.repeat(50_000);
    const result = await run(['cat'], { stdin: text });
    expect(result.stdout).toBe(text);
  });

  test('need not read the text that it is given', async () => {
    const result = await run(['true'], { stdin: 'x'.repeat(1_000_000) });
    expect(result).toMatchObject({ exitCode: 0, ended: 'exit' });
  });

  test('is reported with the signal that ended it', async () => {
    const result = await bash('kill -9 $$');
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', ended: 'exit' });
  });

  test('sees only the environment that it is given', async () => {
    const result = await run(['env'], { environment: { ONLY: 'this' }, argv: ['/usr/bin/env'] });
    expect(result.stdout.replace(/PEG_RUN=.*\n/, '')).toBe('ONLY=this\n');
  });

  test('shows its output while it runs', async () => {
    const seen: string[] = [];
    await bash('echo one; read -r line; echo "$line" >&2', {
      stdin: 'two\n',
      onOutput: (chunk, stream) => seen.push(`${stream}: ${chunk.toString().trim()}`),
    });
    expect(seen.sort()).toEqual(['stderr: two', 'stdout: one']);
  });
});

describe('a program that can not be started', () => {
  test('that does not exist is named', async () => {
    await expect(run(['no-such-program-7'])).rejects.toMatchObject({
      code: 'PEG_PROGRAM_NOT_FOUND',
      message: expect.stringContaining('"no-such-program-7" is not installed'),
      data: { program: 'no-such-program-7' },
    });
  });

  test('that is named by a path is looked for from its folder', async () => {
    await expect(run(['scripts/missing.sh'])).rejects.toMatchObject({
      code: 'PEG_PROGRAM_NOT_FOUND',
      message: expect.stringContaining(`scripts/missing.sh does not exist (looked for from ${folder})`),
    });
  });

  test('that is not executable gets an error with the fix', async () => {
    await writeFile(join(folder, 'plain.sh'), 'echo no');
    await chmod(join(folder, 'plain.sh'), 0o644);
    await expect(run(['./plain.sh'])).rejects.toMatchObject({
      code: 'PEG_PROGRAM_NOT_FOUND',
      message: expect.stringContaining('chmod +x ./plain.sh'),
    });
  });

  test('because its folder is missing is not mistaken for a missing program', async () => {
    await expect(run(['true'], { cwd: join(folder, 'nowhere') })).rejects.toMatchObject({
      code: 'PEG_COMMAND_FAILED',
      message: expect.stringMatching(/The folder .*nowhere, in which true should run, does not exist/),
    });
    await writeFile(join(folder, 'file'), '');
    await expect(run(['true'], { cwd: join(folder, 'file') })).rejects.toThrow('is not a folder');
  });

  test('because its arguments are too long says so', async () => {
    await expect(run(['true', ...Array<string>(40).fill('x'.repeat(120_000))])).rejects.toMatchObject({
      code: 'PEG_COMMAND_FAILED',
      message: expect.stringContaining('longer than the system allows'),
    });
  });
});

describe('output without end', () => {
  test(
    'of 256 MB runs through at full speed in little memory, with head, tail and what is missing',
    { timeout: 120_000 },
    async () => {
      const before = process.memoryUsage().rss;
      let highest = before;
      const result = await bash('echo first; head -c 268435456 /dev/zero; echo; echo last', {
        maxBytes: 1_000_000,
        onOutput: () => void (highest = Math.max(highest, process.memoryUsage.rss())),
      });
      expect(result.exitCode).toBe(0);
      expect(result.stdout.startsWith('first\n\0\0\0')).toBe(true);
      expect(result.stdout.endsWith('\0\0\0\nlast\n')).toBe(true);
      expect(result.omitted.stdout).toBe(268_435_456 + 12 - 1_000_000);
      expect(result.stdout).toContain(`[… ${result.omitted.stdout.toLocaleString('en')} bytes left out …]`);
      expect(highest - before).toBeLessThan(200_000_000);
    },
  );

  test('is stopped by its time limit, and what came before is kept', async () => {
    const result = await run(['yes'], { timeoutMs: 300, maxBytes: 10_000 });
    expect(result).toMatchObject({ ended: 'timeout', signal: 'SIGTERM' });
    expect(result.stdout.startsWith('y\ny\n')).toBe(true);
    expect(result.stdout.length).toBeLessThan(10_100);
  });
});

describe('stopping', () => {
  test('ends a program that never ends, and says why', async () => {
    const result = await run(['sleep', '1000'], { timeoutMs: 100 });
    expect(result).toMatchObject({ ended: 'timeout', exitCode: null, signal: 'SIGTERM' });
  });

  test('kills after two seconds what ignores SIGTERM', async () => {
    const startedAt = performance.now();
    const result = await whenReady('trap "" TERM; echo ready; while :; do sleep 0.05; done');
    expect(result).toMatchObject({ ended: 'aborted', signal: 'SIGKILL' });
    expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  });

  test('lets a program clean up', async () => {
    const result = await whenReady(
      'trap "echo cleaned; exit 5" TERM; echo ready; while :; do sleep 0.02; done',
    );
    expect(result).toMatchObject({ ended: 'aborted', exitCode: 5, stdout: 'ready\ncleaned\n' });
  });

  test('by the caller ends it at once', async () => {
    const result = await whenReady('echo ready; sleep 1000');
    expect(result).toMatchObject({ ended: 'aborted', signal: 'SIGTERM', stdout: 'ready\n' });
  });

  test('before the start starts nothing', async () => {
    const result = await bash('touch started', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ended: 'aborted', exitCode: null });
    expect(existsSync(join(folder, 'started'))).toBe(false);
  });

  test('reaches a grandchild that holds standard output, and does not wait for it', async () => {
    const result = await whenReady('sleep 1000 & echo $! > grandchild; echo ready; wait');
    expect(result.ended).toBe('aborted');
    await goneSoon(await pidIn('grandchild'));
  });

  test('reaches children in sessions of their own, even without our marker', async () => {
    await whenReady(
      "setsid -f sh -c 'echo $$ > forked; exec sleep 1000'; env -i setsid -w sh -c 'echo $$ > bare; exec sleep 1000' & while ! [ -s forked -a -s bare ]; do sleep 0.02; done; echo ready; wait",
    );
    await goneSoon(await pidIn('forked'));
    await goneSoon(await pidIn('bare'));
  });
});

describe('what a command leaves behind is ended', () => {
  test('in its group', async () => {
    const result = await bash('sleep 1000 >/dev/null 2>&1 & echo $!');
    expect(result.exitCode).toBe(0);
    await goneSoon(Number(result.stdout));
  });

  test('in a session of its own, forked twice', async () => {
    const result = await bash(
      "setsid -f sh -c 'echo $$ > daemon; exec sleep 1000' >/dev/null 2>&1; while [ ! -s daemon ]; do :; done",
    );
    expect(result).toMatchObject({ exitCode: 0, leftovers: 1 });
    await goneSoon(await pidIn('daemon'));
  });

  test.each([
    [
      'without environment',
      "env -i setsid -f sh -c 'echo $$ > daemon; exec sleep 1000' >/dev/null 2>&1 </dev/null",
    ],
    [
      'with no descriptor, forked twice',
      `perl -e 'use POSIX; exit if fork; setsid; exit if fork; %ENV = (); POSIX::close($_) for 0..255; chdir "/"; open(F, ">", shift); print F $$; close F; exec "/bin/sleep", 1000' "$PWD/daemon"`,
    ],
    [
      'in a namespace',
      "env -i unshare --fork setsid -f sh -c 'echo $$ > daemon; exec sleep 1000' >/dev/null 2>&1",
    ],
  ])('in a session of its own %s', async (_how, script) => {
    await rm(join(folder, 'daemon'), { force: true });
    const result = await bash(`${script}; while [ ! -s daemon ]; do :; done`);
    const pid = await pidIn('daemon');
    using _ended = { [Symbol.dispose]: () => isGone(pid) || process.kill(pid) };
    expect(result.exitCode).toBe(0);
    expect(result.leftovers).toBeGreaterThan(0);
    await goneSoon(pid);
  });

  test('after a long run too', async () => {
    const result = await bash(
      "setsid -f sh -c 'echo $$ > late; exec sleep 1000' >/dev/null 2>&1; while [ ! -s late ]; do :; done; sleep 0.6",
    );
    expect(result).toMatchObject({ exitCode: 0, leftovers: 1 });
    await goneSoon(await pidIn('late'));
  });

  test('when it still holds the pipes: the result comes 250 ms after the exit', async () => {
    const startedAt = performance.now();
    const result = await bash('setsid -f sleep 1000; echo done');
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n', leftovers: 1 });
    expect(performance.now() - startedAt).toBeGreaterThan(240);
  });

  const asFirst = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
  const firstPossible = spawnSync('unshare', [...asFirst, 'true']).status === 0;
  test.skipIf(!firstPossible)('and does not count once it has ended, where no init waits for it', () => {
    const script = `
      import { runProcess } from '${join(import.meta.dirname, '../../../../host/core/processes/process.ts')}';
      const options = { cwd: '/', environment: { PATH: process.env.PATH }, timeoutMs: 200 };
      console.log(process.pid, await runProcess({ argv: ['sh', '-c', 'sleep 1000 & sleep 1000'], ...options }));`;
    const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script];
    const { stdout } = spawnSync('unshare', [...asFirst, ...node], { encoding: 'utf8' });
    expect(stdout).toMatch(/^1 \{[^}]*ended: 'timeout'/);
    expect(stdout).toContain('leftovers: 0');
  });

  test('however fast it forks', async () => {
    const name = `bomb-${process.pid}`;
    await writeFile(
      join(folder, name),
      '#!/bin/sh\n[ "$1" -gt 5 ] && exec sleep 1000\nsetsid "$0" $(($1 + 1)) & setsid "$0" $(($1 + 1)) &\nexec sleep 1000\n',
    );
    await chmod(join(folder, name), 0o755);
    const result = await run([`./${name}`, '0'], { timeoutMs: 400 });
    expect(result.ended).toBe('timeout');
    await expect.poll(() => run(['pgrep', '-f', name])).toMatchObject({ stdout: '' });
  });
});

test('a program that closes its pipes is waited for', async () => {
  const result = await bash('exec >&- 2>&-; sleep 0.3; exit 4');
  expect(result).toMatchObject({ exitCode: 4, stdout: '', stderr: '' });
});

test('a program that runs when the host exits is ended with it', async () => {
  const module = new URL('../../../../host/core/processes/process.ts', import.meta.url).href;
  const host = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { runProcess } = await import(${JSON.stringify(module)});
       runProcess({ argv: ['sh', '-c', 'echo $$; exec setsid sleep 1000'], cwd: '/', environment: { PATH: process.env.PATH },
         onOutput: (chunk) => { console.log(String(chunk)); setTimeout(() => process.exit(0), 50); } });`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  host.stdout.on('data', (chunk) => (output += chunk));
  await once(host, 'close');
  await goneSoon(Number(output));
});
