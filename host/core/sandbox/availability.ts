import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Sandbox } from '../../api/sandbox.ts';
import { messageOf, PegboardError } from '../errors.ts';
import { childEnvironment } from '../processes/environment.ts';

const run = promisify(execFile);
/** Milliseconds. */
const longestProbe = 5_000;

let probe: Promise<string | undefined> | undefined;

/** Why no program can be confined on this machine; undefined: it can. Tried once in a process, which takes a few ms. */
export function sandboxProblem(): Promise<string | undefined> {
  return (probe ??= tryIt());
}

/** Throws PEG_NO_SANDBOX, which says what to do. `who` isn't run then. */
export async function requireSandbox(who: string, { level }: Pick<Sandbox, 'level'>): Promise<void> {
  const problem = await sandboxProblem();
  if (problem === undefined) return;
  throw new PegboardError(
    'PEG_NO_SANDBOX',
    `${who} was not run: it is to run in a sandbox (sandbox: ${level}), and ${problem}. Whoever wants it to run without one takes that "sandbox" away.`,
  );
}

async function tryIt(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'sandboxes are made by bubblewrap, which there is only on Linux';
  const everything = [
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
  ];
  const mounts = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--perms',
    '0555',
    '--tmpfs',
    '/tmp',
  ];
  try {
    const options = { timeout: longestProbe, env: childEnvironment() };
    await run('bwrap', [...everything, ...mounts, '--', 'true'], options);
    return undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      return 'bubblewrap is not installed here (apt install bubblewrap, dnf install bubblewrap)';
    const said = (cause as { readonly stderr?: string }).stderr?.trim() || messageOf(cause);
    return `bubblewrap can't make one on this machine: ${said}`;
  }
}
