import { spawn } from 'node:child_process';
import type { Executed, Execution } from './execute.ts';

/**
 * A process of its own because it is small: starting a program copies the page tables of the one that starts it,
 * which takes a test worker several times as long.
 */
process.on('message', ({ id, execution }: { id: number; execution: Execution }) => {
  void execute(execution).then((executed) => process.send?.({ id, executed }));
});

/** Runs one program with exactly this argv. */
function execute({ argv, cwd, environment }: Execution): Promise<Executed> {
  const { promise, resolve } = Promise.withResolvers<Executed>();
  const [program, ...args] = argv;
  const child = spawn(program!, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.on('error', ({ message }) => resolve({ stdout: Buffer.alloc(0), stderr: message, exitCode: null }));
  child.on('close', (exitCode) => resolve({ stdout: Buffer.concat(stdout), stderr, exitCode }));
  return promise;
}
