import { PegboardError, type Surroundings } from 'pegboard';
import { childEnvironment, runProcess } from 'pegboard/processes';

/** Milliseconds. */
const timeoutMs = 30_000;

interface GitOptions {
  readonly signal?: AbortSignal;
  /** Used in place of the checkout's own index. */
  readonly indexFile?: string;
}

/** A checkout, and the variables with which programs run in it. */
export interface Checkout extends Pick<Surroundings, 'env'> {
  readonly root: string;
}

/** Runs git in a checkout and returns its output. Throws PEG_TOOL_FAILED with git's error. */
export async function git(
  { root, env }: Checkout,
  args: readonly string[],
  { signal, indexFile }: GitOptions = {},
): Promise<string> {
  const identity = [
    '-c',
    'user.name=Pegboard agent',
    '-c',
    'user.email=agent@pegboard.local',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  const ended = await runProcess({
    argv: ['git', ...identity, ...args],
    cwd: root,
    environment: { ...childEnvironment(env), ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }) },
    timeoutMs,
    ...(signal && { signal }),
  });
  if (ended.exitCode === 0) return ended.stdout;
  throw new PegboardError('PEG_TOOL_FAILED', `git ${args[0]} failed: ${ended.stderr.trim() || ended.ended}`);
}
