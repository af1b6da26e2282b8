import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Not a source file or a source map: only debuggers look for these. */
const isUsed = (path: string): boolean => /\.d\.[cm]?ts$/.test(path) || !/\.(?:map|[cm]?ts)$/.test(path);

/**
 * Copies packages and all that they depend on from the clone's node_modules into the built package's, where npm packs and
 * unpacks them with it (`bundleDependencies`): every installation has the versions that were tested, and npm doesn't
 * judge them by the Node that installs, which is not the one that runs Pegboard.
 */
export function copyBundledPackages(root: string, names: readonly string[], dist: string): void {
  const copied = new Set<string>();
  const copy = (folder: string): void => {
    if (copied.has(folder)) return;
    copied.add(folder);
    const to = join(dist, relative(root, folder));
    // One within another package was copied with that.
    if (!existsSync(to)) cpSync(folder, to, { recursive: true, filter: isUsed });
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as PackageManifest;
    for (const name of Object.keys(dependencies)) copy(find(name, folder));
  };
  /** As Node resolves it: in the package's own node_modules, or in those above. */
  const find = (name: string, from: string): string => {
    const candidate = join(from, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (from === root) throw new Error(`${name} is not installed.`);
    return find(name, dirname(from));
  };
  for (const name of names) copy(find(name, root));
}
