import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { systemPath } from '../system-node.ts';

export const repository = join(import.meta.dirname, '../../..');

/** A fresh, installed clone of this repository in a folder of its own. */
export interface Clone extends AsyncDisposable {
  readonly folder: string;
  /** The user's home directory, empty at first. */
  readonly userHome: string;
  /**
   * Environment of a login shell: without variables of the test run, without network for npm, with `pegboard` as if
   * installed.
   */
  readonly environment: Record<string, string>;
  /** What `pegboard` starts, if it is not the clone's own. */
  readonly entry: string | undefined;
}

/**
 * Tests are not copied, except for a few, so that `npm test` in the clone takes a second. Nor is what its owner has set up, as by the tour.
 */
const leftBehind = new Set('.git node_modules data dist test bench pegboard.local.yaml .env'.split(' '));
const quickTest = [
  'test/system/architecture/circles.test.ts',
  'test/kit/compile-cache.ts',
  'test/kit/homes/state-folder.ts',
  'test/kit/built-package.ts',
  'test/kit/shared-postgres.ts',
  'test/kit/cli',
  'test/kit/cli.ts',
  'test/kit/made-once.ts',
  'test/kit/run',
  'test/kit/structures',
  'test/kit/postgres-programs.ts',
];
/** Elsewhere in an installed Pegboard. */
const installation = new Set(['bin', 'host', 'plugins', 'tools']);

/**
 * `given`: a folder for it, owned by the caller. A clone at the path of an earlier one starts faster, because Node has
 * cached its compiled code. The earlier one is moved aside, not removed: after removals, ext4 checks all removed files
 * before it creates a new one, which takes a second of processor time for a clone. `entry`: what `pegboard` starts, as
 * if installed; the clone is then only a home.
 */
export async function openClone(given?: string, entry?: string): Promise<Clone> {
  const root = given ?? (await mkdtemp(join(tmpdir(), 'pegboard-clone-')));
  if (given !== undefined) await putAside(given);
  const [folder, userHome, bin] = ['pegboard', 'user', 'bin'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([folder, userHome, bin].map((path) => mkdir(path, { recursive: true })));
  const away = entry === undefined ? leftBehind : leftBehind.union(installation);
  const names = (await readdir(repository)).filter((name) => !away.has(name));
  // With its timestamps, so that the dependencies count as installed after the lock file was written.
  const options = { recursive: true, preserveTimestamps: true };
  await Promise.all(
    [...names, ...quickTest].map((name) => cp(join(repository, name), join(folder, name), options)),
  );
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const launcher = `#!/bin/sh\nexec node '${entry ?? join(folder, 'bin/pegboard.cjs')}' "$@"\n`;
  await writeFile(join(bin, 'pegboard'), launcher, { mode: 0o755 });
  await writeFile(join(userHome, '.npmrc'), 'offline=true\nupdate-notifier=false\n');
  return {
    folder,
    userHome,
    entry,
    environment: {
      PATH: [bin, dirname(process.execPath), ...systemPath()].join(delimiter),
      HOME: userHome,
      LANG: 'C.UTF-8',
      TMPDIR: tmpdir(),
      // `npm test` in the clone builds no package.
      PEGBOARD_TEST_ENTRY: join(repository, 'bin/pegboard.cjs'),
      // An installed Pegboard doesn't know the clone as its own.
      ...(entry !== undefined && { PEGBOARD_TRUST_HOME: folder }),
    },
    [Symbol.asyncDispose]: async () => {
      // A process that a killed one has left may still write.
      if (given === undefined) await rm(root, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function putAside(root: string): Promise<void> {
  const names = (await readdir(root)).filter((name) => !name.startsWith('aside-'));
  if (names.length === 0) return;
  const aside = await mkdtemp(join(root, 'aside-'));
  for (const name of names) await rename(join(root, name), join(aside, name));
}
