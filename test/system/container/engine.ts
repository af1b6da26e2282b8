import { execFile } from 'node:child_process';
import { findProgram, pathOf } from '../../../host/core/platform/programs.ts';
import { repository } from '../../kit/homes/clone.ts';

export interface Ran {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

export function run(program: string, args: readonly string[]): Promise<Ran> {
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const options = { cwd: repository, encoding: 'utf8', maxBuffer: 1e8 } as const;
  execFile(program, args, options, (error, stdout, stderr) =>
    resolve({
      code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
      output: `${stdout}${stderr}`,
    }),
  );
  return promise;
}

/** Resolves with the output. Throws when the program fails. */
export async function must(program: string, args: readonly string[]): Promise<string> {
  const { code, output } = await run(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

/** What builds images here: Podman or Buildah, which need no daemon. */
export const builder =
  findProgram('podman', pathOf(process.env)) ?? findProgram('buildah', pathOf(process.env));

/** Machines that are containers themselves allow neither a new root for each step nor a network of its own. */
export async function build(tag: string, base: string): Promise<void> {
  await must(builder!, [
    'build',
    '--isolation=chroot',
    '--network=host',
    '--format=docker',
    // No images of single steps stay behind.
    '--layers=false',
    `--build-arg=NODE_IMAGE=${base}`,
    `--tag=${tag}`,
    '.',
  ]);
}

/** Starts containers with Podman. */
export interface Engine {
  /** Arguments of `podman run`, in this order: options, image, command. */
  readonly start: (...args: readonly string[]) => Promise<string>;
  /** Any other command of Podman. */
  readonly podman: (...args: readonly string[]) => Promise<string>;
  /** Whether it succeeds. */
  readonly tries: (...args: readonly string[]) => Promise<boolean>;
}

/** Limits that a machine of few rights can give too: an engine's own may be above those of this process. */
const limits = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096'];

/** Podman with the first runtime that can start this image here. A string says why there is none. */
export async function openEngine(image: string): Promise<Engine | string> {
  const program = findProgram('podman', pathOf(process.env));
  if (program === undefined)
    return 'Buildah builds images, and Podman, which would start them, is not installed';
  const said: string[] = [];
  for (const runtime of [[], ['--runtime=crun'], ['--runtime=runc']]) {
    const podman = (...args: readonly string[]): Promise<string> => must(program, [...runtime, ...args]);
    const start = (...args: readonly string[]): Promise<string> => podman('run', ...limits, ...args);
    try {
      await start('--rm', '--network=none', '--entrypoint=true', image);
    } catch (error) {
      said.push((error as Error).message);
      continue;
    }
    const tries = async (...args: readonly string[]): Promise<boolean> =>
      (await run(program, [...runtime, ...args])).code === 0;
    return { start, podman, tries };
  }
  return `no runtime starts a container here: ${said.join('\n')}`;
}
