import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { CliSurroundings } from './surroundings.ts';

/** What a child process has as this stream: the stream itself where the system knows it, else a pipe or nothing. */
const inheritable = <Otherwise extends 'pipe' | 'ignore'>(
  stream: (Readable | Writable) & { readonly fd?: number },
  otherwise: Otherwise,
): number | Otherwise => stream.fd ?? otherwise;

/** Starts a program that prints to this terminal. `how.stdin`: what it reads from; nothing unless given. */
export function spawnShown(
  [program = '', ...args]: readonly string[],
  { env, stdout, stderr }: Pick<CliSurroundings, 'env' | 'stdout' | 'stderr'>,
  how: { readonly cwd: string; readonly stdin?: CliSurroundings['stdin']; readonly signal?: AbortSignal },
): ChildProcess {
  const input = how.stdin ? inheritable(how.stdin, 'ignore') : 'ignore';
  const child = spawn(program, args, {
    env,
    cwd: how.cwd,
    signal: how.signal,
    stdio: [input, inheritable(stdout, 'pipe'), inheritable(stderr, 'pipe')],
  });
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
  return child;
}
