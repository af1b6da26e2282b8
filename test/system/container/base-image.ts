import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../host/core/platform/programs.ts';
import { builder, must, run } from './engine.ts';

/** An image with Node that the build can begin with. */
export interface BaseImage {
  readonly image: string;
  /** Removes it if this test made it. */
  readonly remove: () => Promise<void>;
}

/** Where a build gets Debian's and npm's packages. */
const packages = ['http://deb.debian.org/debian/', 'https://registry.npmjs.org/'];

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(15_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * The image that the Dockerfile names, from the engine's store or its registry. Where neither has it, one like it is
 * made: Debian from its mirror, with the Node that runs this. A string says why there is none.
 */
export async function findBase(named: string): Promise<BaseImage | string> {
  if (builder === undefined) return 'neither Podman nor Buildah is installed';
  for (const url of packages)
    if (!(await answers(url))) return `the build installs packages, and ${url} doesn't answer`;
  const asNamed = { image: named, remove: () => Promise.resolve() };
  if ((await run(builder, ['inspect', '--type=image', named])).code === 0) return asNamed;
  const pulled = await run(builder, ['pull', named]);
  if (pulled.code === 0) return asNamed;
  const debootstrap = findProgram('debootstrap', { path: `${process.env['PATH']}:/usr/sbin:/sbin` });
  const why = `${named} can't be pulled (${pulled.output.trim().split('\n').at(-1)})`;
  if (debootstrap === undefined || process.getuid?.() !== 0)
    return `${why}, and only root can make one like it with debootstrap`;
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-base-'));
  try {
    const made = await run(debootstrap, [
      '--variant=minbase',
      '--include=libatomic1',
      'stable',
      join(folder, 'root'),
    ]);
    if (made.code !== 0) return `${why}, and Debian's mirror doesn't answer: ${made.output.slice(-500)}`;
    return await withNode(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withNode(folder: string): Promise<BaseImage> {
  const root = join(folder, 'root');
  await cp(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = join((await must('npm', ['root', '--global', '--loglevel=error'])).trim(), 'npm');
  await mkdir(join(root, 'usr/local/lib/node_modules'), { recursive: true });
  await cp(await realpath(npm), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
  // A machine behind a proxy that checks what passes knows that proxy's certificate.
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates) await cp(certificates, join(root, 'etc/ssl/machine.pem'));
  await writeFile(
    join(folder, 'Dockerfile'),
    `FROM scratch\nCOPY root/ /\n${certificates ? 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/machine.pem\n' : ''}`,
  );
  const image = `localhost/pegboard-test-base-${process.pid}`;
  await must(builder!, ['build', '--isolation=chroot', '--layers=false', `--tag=${image}`, folder]);
  return {
    image,
    remove: async () => {
      await must(builder!, ['rmi', '--force', image]);
    },
  };
}
