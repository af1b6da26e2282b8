import { spawnSync } from 'node:child_process';
import { appendFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openClone, type Clone } from './clone.ts';

/** A clone with a real history, and the repository that it was cloned from. */
export interface GitClone extends Clone {
  /** A checkout of the repository that the clone pulls from. */
  readonly upstream: string;
  /** Runs git in a folder, and returns what it prints. Throws when it fails. */
  readonly git: (folder: string, ...args: readonly string[]) => string;
  /** Runs the clone's own `pegboard` to its end. */
  readonly run: (args: readonly string[], environment?: Readonly<Record<string, string>>) => Ended;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** `given`: a folder for it, as for `openClone`. */
export async function openGitClone(given?: string): Promise<GitClone> {
  const clone = await openClone(given);
  const { folder, environment } = clone;
  const upstream = `${folder}-upstream`;
  const run = (
    command: string,
    args: readonly string[],
    cwd: string,
    more: Readonly<Record<string, string>> = {},
  ): Ended => {
    const env = { ...environment, ...author, ...more };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
    return { code: status, output: `${stdout}${stderr}` };
  };
  const git = (cwd: string, ...args: readonly string[]): string => {
    const { code, output } = run('git', args, cwd);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
    return output.trim();
  };
  // Only the clone has dependencies.
  await rename(join(folder, 'node_modules'), `${folder}-modules`);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'The first version');
  await rename(folder, upstream);
  git(join(folder, '..'), 'clone', '-q', upstream, folder);
  await rename(`${folder}-modules`, join(folder, 'node_modules'));
  // The pattern of .gitignore is for a folder; this is a link.
  await appendFile(join(folder, '.git/info/exclude'), 'node_modules\n');
  return {
    ...clone,
    upstream,
    git,
    run: (args, more) => run(process.execPath, [join(folder, 'bin/pegboard.cjs'), ...args], folder, more),
  };
}

const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};
