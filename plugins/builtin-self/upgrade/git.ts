import { spawnSync } from 'node:child_process';
import { PegboardError } from 'pegboard';
import type { CliSurroundings } from 'pegboard/terminal';

/** A clone, and what git gets of the command that looks at it. */
export interface Clone extends Pick<CliSurroundings, 'env'> {
  readonly root: string;
  readonly stdin: CliSurroundings['stdin'] & { readonly fd?: number };
}

const timeoutMs = 300_000;

/**
 * Runs git in the clone, without its hooks, and returns what it prints. Synchronous, so that Ctrl-C ends git before this
 * process decides what to do. Throws PEG_COMMAND_FAILED.
 */
export function git({ root, stdin, env }: Clone, ...args: readonly string[]): string {
  const ended = spawnSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 1 << 28,
    stdio: [stdin.fd ?? 'ignore', 'pipe', 'pipe'],
    env: { ...env, LC_ALL: 'C', ...(!stdin.isTTY && { GIT_TERMINAL_PROMPT: '0' }) },
  });
  if (ended.status === 0) return ended.stdout.trim();
  const { error } = ended;
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new PegboardError('PEG_PROGRAM_NOT_FOUND', 'git is not installed, or not in PATH.');
  const why = error?.message ?? (ended.stderr.trim() || `it ended with ${ended.status ?? ended.signal}`);
  throw new PegboardError('PEG_COMMAND_FAILED', `git ${args[0]} failed: ${why}`);
}

/** What git prints, or undefined when it fails. */
export function gitIfPossible(clone: Clone, ...args: readonly string[]): string | undefined {
  try {
    return git(clone, ...args);
  } catch (cause) {
    if ((cause as PegboardError).code === 'PEG_COMMAND_FAILED') return undefined;
    throw cause;
  }
}
