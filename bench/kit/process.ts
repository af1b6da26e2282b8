import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** A running child process. Disposing kills it and waits for its exit. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The first match of `pattern` in its output, on either stream. Rejects when it ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

export function startProcess(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): RunningProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  const ended = once(child, 'exit');
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  return {
    pid: child.pid!,
    child,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        child.once('exit', () => reject(new Error(`${args.join(' ')} ended without ${pattern}:\n${output}`)));
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Milliseconds of processor time, user and system, of all threads of the process that still run. Linux only. */
export function cpuTime(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Resident memory in MB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** The running processes of its tree, by pid. */
export function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

/** Its arguments, joined by spaces; empty when it has ended. */
export function commandLine(pid: number): string {
  return readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function childrenOf(pid: number): number[] {
  const threads = readdirOr(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readOr(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readdirOr(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
