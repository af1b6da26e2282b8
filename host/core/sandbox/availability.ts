import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Sandbox } from '../../api/sandbox.ts';
import { messageOf, PegboardError } from '../errors.ts';
import { childEnvironment } from '../processes/environment.ts';

const run = promisify(execFile);
/** Milliseconds. */
const probeTimeoutMs = 30_000;

const probes = new Map<NodeJS.Platform, Promise<string | undefined>>();

/** Why programs can't be sandboxed on this machine. Undefined if they can. Tested once per process, which takes a few ms. */
export function sandboxProblem(platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  const known = probes.get(platform) ?? tryIt(platform);
  probes.set(platform, known);
  return known;
}

/** Throws PEG_NO_SANDBOX, which says what to do. `who` is then not run. */
export async function requireSandbox(
  who: string,
  { level }: Pick<Sandbox, 'level'>,
  platform?: NodeJS.Platform,
): Promise<void> {
  const problem = await sandboxProblem(platform);
  if (problem === undefined) return;
  throw new PegboardError(
    'PEG_NO_SANDBOX',
    `${who} was not run: it must run in a sandbox (sandbox: ${level}), and ${problem}. To run it without one, remove that "sandbox" setting.`,
  );
}

/** The sandbox program of each platform, with a minimal test command. */
const confiners: {
  readonly [platform: string]: {
    readonly name: string;
    readonly argv: readonly string[];
    readonly missing: string;
  };
} = {
  linux: {
    name: 'bubblewrap',
    argv: (
      'bwrap --unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --unshare-net --ro-bind / / --dev /dev ' +
      '--proc /proc --remount-ro /proc --perms 0555 --tmpfs /tmp -- true'
    ).split(' '),
    missing: 'bubblewrap is not installed here (apt install bubblewrap, dnf install bubblewrap)',
  },
  darwin: {
    name: 'sandbox-exec',
    argv: ['sandbox-exec', '-p', '(version 1)(allow default)', '/usr/bin/true'],
    missing: 'sandbox-exec, which comes with macOS, is not in PATH',
  },
};

/** The name of the sandbox program, for people. */
export const confinerName = (platform: NodeJS.Platform = process.platform): string =>
  confiners[platform]?.name ?? 'nothing';

async function tryIt(platform: NodeJS.Platform): Promise<string | undefined> {
  const confiner = confiners[platform];
  if (!confiner)
    return 'sandboxes need bubblewrap on Linux or sandbox-exec on macOS, and this system has neither';
  const [program = '', ...args] = confiner.argv;
  try {
    await run(program, args, { timeout: probeTimeoutMs, env: childEnvironment() });
    return undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return confiner.missing;
    const said = (cause as { readonly stderr?: string }).stderr?.trim() || messageOf(cause);
    return `${confiner.name} can't make one on this machine: ${said}`;
  }
}
