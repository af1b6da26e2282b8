import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Sandbox } from '../../api/sandbox.ts';
import { messageOf, PegboardError } from '../errors.ts';
import { sandboxProgram } from '../platform/sandboxes.ts';
import { processSurroundings } from '../platform/surroundings.ts';
import { thisPlatform } from '../platform/this-platform.ts';
import { childEnvironment } from '../processes/environment.ts';
import { asSentence } from '../text/as-sentence.ts';

const run = promisify(execFile);
/** Milliseconds. */
const probeTimeoutMs = 30_000;

const probes = new Map<NodeJS.Platform, Promise<string | undefined>>();

/** Why programs can't be sandboxed on this machine. Undefined if they can. Tested once per process, which takes a few ms. */
export function sandboxProblem(platform: NodeJS.Platform = thisPlatform): Promise<string | undefined> {
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
    `${who} was not run: it must run in a sandbox (sandbox: ${level}), and ${asSentence(problem)} To run it without one, remove that "sandbox" setting.`,
  );
}

/** The name of the sandbox program, for people. */
export const confinerName = (platform: NodeJS.Platform = thisPlatform): string =>
  sandboxProgram(platform)?.name ?? 'nothing';

async function tryIt(platform: NodeJS.Platform): Promise<string | undefined> {
  const confiner = sandboxProgram(platform);
  if (!confiner)
    return 'sandboxes need bubblewrap on Linux or sandbox-exec on macOS, and this system has neither';
  const [program = '', ...args] = confiner.argv;
  try {
    await run(program, args, { timeout: probeTimeoutMs, env: childEnvironment(processSurroundings().env) });
    return undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return confiner.missing;
    const said = (cause as { readonly stderr?: string }).stderr?.trim() || messageOf(cause);
    return `${confiner.name} can't make a sandbox on this machine: ${said}`;
  }
}
