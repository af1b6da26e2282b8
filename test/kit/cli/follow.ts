import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs: a child process, or what stands for one inside of the test's process. */
export type RunningChild = Pick<
  ChildProcessWithoutNullStreams,
  'stdin' | 'stdout' | 'stderr' | 'exitCode' | 'signalCode' | 'pid' | 'kill'
> &
  EventEmitter;

export interface RunningCli extends AsyncDisposable {
  readonly child: RunningChild;
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

/** For how many milliseconds output is waited for: less than a test may take, so that its failure shows the output. */
export const patience = Number(process.env['PEGBOARD_TEST_PATIENCE'] ?? 150_000);

/** Follows the child's output. It gets `lastSignal` when disposed, if it is still running. */
export function follow(child: RunningChild, lastSignal: NodeJS.Signals = 'SIGKILL'): RunningCli {
  const output = { stdout: '', stderr: '', both: '' };
  const news = new EventEmitter().setMaxListeners(0);
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      output.both += text;
      news.emit('news');
    });
  }
  child.stdin.on('error', () => {});
  let isOver = false;
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    news.emit('news');
    return { code: code as number | null, stdout: output.stdout, stderr: output.stderr };
  });
  let seen = 0;
  const waitFor = async (pattern: RegExp, from: number): Promise<RegExpExecArray> => {
    const signal = AbortSignal.timeout(patience);
    for (;;) {
      const found = pattern.exec(stripVTControlCharacters(output.both).slice(from));
      if (found) return found;
      if (isOver) throw new Error(`ended with ${child.exitCode} before ${pattern} came: ${output.both}`);
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
      if (child.exitCode === null && child.signalCode === null) child.kill(lastSignal);
      await ended;
    },
  };
}
