import { spawnSync } from 'node:child_process';
import type { Surroundings } from 'pegboard';

/** What git prints, without running a program of its configuration. Undefined where it fails, or takes long. */
export type AskGit = (folder: string, ...args: readonly string[]) => string | undefined;

/** For all questions together: nothing else runs meanwhile. */
const maxMs = 2_000;
/** Else reading an index may run the one, and an object that is missing the other's programs. */
const withoutPrograms = ['-c', 'core.fsmonitor=false', '-c', 'protocol.allow=never'];

export function createAskGit(env: Surroundings['env']): AskGit {
  let leftMs = maxMs;
  return (folder, ...args) => {
    if (leftMs <= 0) return undefined;
    const began = performance.now();
    const { status, stdout } = spawnSync('git', [...withoutPrograms, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: Math.ceil(leftMs),
      maxBuffer: 20_000_000,
    });
    leftMs -= performance.now() - began;
    return status === 0 ? stdout : undefined;
  };
}
