import { spawn } from 'node:child_process';
import { asSentence, PegboardError } from 'pegboard';
import { type CliSurroundings, spawnShown } from 'pegboard/terminal';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the system to its end, with the user's environment. Throws PEG_PROGRAM_NOT_FOUND. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { env, cwd }: Pick<CliSurroundings, 'env' | 'cwd'>,
): Promise<Ran> {
  const child = spawn(program, args, { env, cwd: cwd(), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await ended(child, program);
  return { code, stdout, stderr };
}

/** The same in this terminal, until it ends or the signal aborts. */
export async function showProgram(
  argv: readonly string[],
  surroundings: CliSurroundings,
  signal: AbortSignal,
): Promise<number> {
  const child = spawnShown(argv, surroundings, { cwd: surroundings.cwd() });
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await ended(child, argv[0]!);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function ended(child: ReturnType<typeof spawn>, program: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on('error', (cause) =>
    reject(
      new PegboardError(
        'PEG_PROGRAM_NOT_FOUND',
        `${program} can't be started: ${asSentence(cause.message)}`,
        { cause },
      ),
    ),
  );
  child.on('close', (code) => resolve(code ?? 1));
  return promise;
}
