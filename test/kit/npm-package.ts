import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packageEntry } from './cli.ts';
import { madeOnce } from './made-once.ts';
import { repository } from './homes/clone.ts';
import { startNpmRegistry, type NpmRegistry } from './servers/npm-registry.ts';
import { systemNode, systemPath } from './system-node.ts';

/** The package with a Node for this machine, and the oldest Node that runs Pegboard. */
export const { packageName, oldest } = createRequire(import.meta.url)('../../bin/own-node.cjs') as {
  readonly packageName: string;
  readonly oldest: number;
};

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a program runs: `node` is the folder of the Node that comes first in the PATH, `home` the user's home folder. */
interface RunPlace {
  readonly node?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What `npm pack` makes of the package that this test run has built, and a registry to install it from. */
export interface NpmPackage extends AsyncDisposable {
  readonly folder: string;
  readonly tarball: string;
  readonly registry: NpmRegistry;
  /** HOME, PATH and npm's settings, and nothing else. */
  environment(place?: RunPlace): Readonly<Record<string, string>>;
  /** Runs a program to its end in that environment. */
  run(program: string, args: readonly string[], cwd: string, place?: RunPlace): Promise<Ran>;
}

export async function packForNpm(): Promise<NpmPackage> {
  const owned = new AsyncDisposableStack();
  const registry = owned.use(await startNpmRegistry());
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-npm-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  const environment: NpmPackage['environment'] = ({
    node = dirname(systemNode()),
    home = join(folder, 'user'),
    env = {},
  } = {}) => {
    mkdirSync(home, { recursive: true });
    return {
      HOME: home,
      PATH: [node, ...systemPath()].join(delimiter),
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_update_notifier: 'false',
      ...env,
    };
  };
  const run: NpmPackage['run'] = (program, args, cwd, place) =>
    new Promise((resolve) => {
      execFile(program, args, { cwd, env: environment(place) }, (failure, stdout, stderr) =>
        resolve({ code: failure ? Number(failure.code) : 0, stdout, stderr }),
      );
    });
  registry.add(join(repository, 'tools/runtime'));
  const integrity = await registry.addNode(packageName, '26.10.0');
  const packed = await madeOnce('packed', async (target) => {
    const built = join(folder, 'built');
    cpSync(join(dirname(packageEntry()), '..'), built, { recursive: true });
    // The hash of Node's own package is that of 50 MB.
    writeFileSync(
      join(built, 'bin/node-packages.json'),
      JSON.stringify({ [packageName]: { version: '26.10.0', integrity } }),
    );
    await run('npm', ['pack', '--pack-destination', target], built);
  });
  return {
    folder,
    tarball: join(packed, readdirSync(packed)[0]!),
    registry,
    environment,
    run,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
