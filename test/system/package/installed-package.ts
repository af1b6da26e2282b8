import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageEntry } from '../../kit/cli.ts';
import { repository } from '../../kit/homes/clone.ts';

interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  /** They are in the package. */
  readonly bundleDependencies?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The built package as installed by npm: in a node_modules of its own, with only its dependencies. */
export interface InstalledPackage extends AsyncDisposable {
  readonly folder: string;
  /** The file that `pegboard` starts. */
  readonly entry: string;
}

export async function installPackage(): Promise<InstalledPackage> {
  const root = await mkdtemp(join(tmpdir(), 'pegboard-installed-'));
  const modules = join(root, 'node_modules');
  const folder = join(modules, 'pegboard');
  // The package that this test run has built.
  await cp(join(dirname(packageEntry()), '..'), folder, { recursive: true });
  await copyDependencies(folder, modules);
  return {
    folder,
    entry: join(folder, 'bin/pegboard.cjs'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** From the clone's node_modules. A missing optional dependency is for another platform. */
async function copyDependencies(folder: string, modules: string): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as PackageManifest;
  const { dependencies = {}, optionalDependencies = {}, bundleDependencies = [] } = manifest;
  for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
    if (bundleDependencies.includes(name)) continue;
    const [from, to] = [join(repository, 'node_modules', name), join(modules, name)];
    if (existsSync(to) || (!existsSync(from) && name in optionalDependencies)) continue;
    await cp(from, to, { recursive: true });
    await copyDependencies(to, modules);
  }
}
