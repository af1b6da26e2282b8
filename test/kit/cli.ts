import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isFolder } from '../../host/core/files/paths.ts';

/** How to start a child process without root's right to write everywhere. */
export interface Reader {
  /** Arguments before the program. */
  readonly prefix: readonly string[];
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Why this is impossible on this machine: the reason for skipping a test. */
  readonly impossible?: string;
}

/** In the clone. */
export const cloneEntry = join(import.meta.dirname, '../../bin/pegboard.cjs');
/** The entry point that users start, in the package that was built for this test run. */
export const cliEntry = process.env['PEGBOARD_TEST_ENTRY'] ?? cloneEntry;

export interface CliOptions {
  /** Passed as --home. */
  readonly home?: string;
  /** Default: the home, if there is one. */
  readonly cwd?: string;
  /** Input on stdin, which is then closed. */
  readonly input?: string;
  /** In addition to this process's environment. undefined removes a variable. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Runs the process without root's right to write everywhere. */
  readonly reader?: Reader;
  /** The entry point, instead of `cliEntry`. */
  readonly entry?: string;
  /** The Node to use, instead of the one that runs the tests. */
  readonly node?: string;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `pegboard` to its end, as a process of its own. */
export async function pegboard(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  await using running = startPegboard(args, options);
  running.child.stdin.end(options.input ?? '');
  return await running.ended;
}

/** The JSON document that `pegboard … --json` prints. Throws when stdout contains anything else. */
export async function pegboardJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const { stdout, stderr } = await pegboard([...args, '--json'], options);
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(`no JSON on stdout: ${stdout}\nstderr: ${stderr}`);
  }
}

export interface RunningCli extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CliResult>;
  /**
   * Resolves with all output of both streams, without colours, as soon as it matches; rejects when the process ends
   * before.
   */
  waitFor(pattern: RegExp): Promise<string>;
  /**
   * Like `waitFor`, in the output after the match of the last `next`; resolves with that output, up to the end of the
   * match.
   */
  next(pattern: RegExp): Promise<string>;
}

/** Killed when disposed, if it is still running. */
export function startPegboard(args: readonly string[], options: CliOptions = {}): RunningCli {
  const { home, cwd = placeOf(home), env, reader, entry = cliEntry, node = process.execPath } = options;
  const all = home === undefined ? args : ['--home', home, ...args];
  const [program = node, ...words] = [...(reader?.prefix ?? []), node, entry, ...all];
  const child = spawn(program, words, { cwd, env: environment(env), ...reader?.ids });
  return follow(child);
}

/** Elsewhere than in the clone, which would be the project of every agent. */
export const placeOf = (home: string | undefined): string | undefined =>
  home !== undefined && isFolder(home) ? home : undefined;

/** For how many milliseconds output is waited for: less than a test may take, so that its failure shows the output. */
const patience = 150_000;

/** Follows the child's output. */
export function follow(child: ChildProcessWithoutNullStreams): RunningCli {
  const output = { stdout: '', stderr: '', both: '' };
  const news = new EventTarget();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      output.both += text;
      news.dispatchEvent(new Event('news'));
    });
  }
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]) => {
    news.dispatchEvent(new Event('news'));
    return { code: code as number | null, stdout: output.stdout, stderr: output.stderr };
  });
  let seen = 0;
  const waitFor = async (pattern: RegExp, from: number): Promise<RegExpExecArray> => {
    const signal = AbortSignal.timeout(patience);
    for (;;) {
      const found = pattern.exec(stripVTControlCharacters(output.both).slice(from));
      if (found) return found;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`ended with ${child.exitCode} before ${pattern} came: ${output.both}`);
      await once(news, 'news', { signal }).catch(() => {
        throw new Error(`${pattern} did not come within ${patience / 1000} s: ${output.both.slice(from)}`);
      });
    }
  };
  return {
    child,
    ended,
    waitFor: async (pattern) => (await waitFor(pattern, 0)).input,
    async next(pattern) {
      const { input, index, 0: match } = await waitFor(pattern, seen);
      const end = index + match.length;
      seen += end;
      return input.slice(0, end);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The environment without variables that would make a test depend on its user. */
export function environment(changes: CliOptions['env'] = {}): NodeJS.ProcessEnv {
  // Node disables colours and cursor keys when CI is set.
  const { PEGBOARD_HOME: _home, FORCE_COLOR: _force, NO_COLOR: _no, CI: _ci, ...inherited } = process.env;
  return { ...inherited, ...changes };
}
