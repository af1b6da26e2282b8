import { lstatSync, mkdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import type { Sandbox } from '../../api/sandbox.ts';
import { isWithin } from '../paths.ts';
import { guardedPaths } from './guarded-paths.ts';
import { readableFolders, writableFolders } from './rule.ts';
import { secretsOfPerson, secretsOfSystem } from './secret-places.ts';

/** What one program is confined to. */
export interface Confinement {
  readonly sandbox: Sandbox;
  /** Folders that are its own to work in. Absolute; at least one. */
  readonly workspace: readonly string[];
}

/** What a program of the system needs to run at all. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store'];

/** The arguments with which bubblewrap runs `argv`, itself first. Makes the folders of its own that it may write to. */
export function bubblewrapArgv(
  { sandbox, workspace }: Confinement,
  argv: readonly string[],
  cwd: string,
): string[] {
  const { level, network } = sandbox;
  const [home = sandbox.home] = realPath(sandbox.home);
  const own = workspace.flatMap(realPath);
  const writable = writableFolders(sandbox, own).flatMap((path) => made(path, own));
  const readable = readableFolders(sandbox).flatMap(realPath);
  const guarded = guardedPaths(home, writable);
  const secrets = [...secretsOfSystem, ...secretsOfPerson(homedir()), ...guarded.hidden].flatMap(realPath);
  return [
    [
      'bwrap',
      '--unshare-user-try',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
    ],
    network ? [] : ['--unshare-net'],
    ['--die-with-parent', '--cap-drop', 'ALL', '--hostname', 'pegboard'],
    level === 'strict' ? systemOnly(network) : ['--ro-bind', '/', '/'],
    ['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    mounts('--ro-bind', [...own, ...readable]),
    mounts('--bind', writable),
    mounts('--ro-bind', guarded.readOnly),
    secrets.flatMap(hide),
    level === 'strict' ? ['--setenv', 'HOME', '/tmp'] : [],
    ['--chdir', cwd, '--'],
    argv,
  ].flat();
}

const mounts = (kind: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => [kind, path, path]);

function systemOnly(network: boolean): string[] {
  const shown = system.flatMap((path) => {
    const stats = statsOf(path);
    if (!stats) return [];
    return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  // Where names of hosts are looked up is often a link out of /etc.
  const resolver = network ? realPath('/etc/resolv.conf').filter((path) => !isWithin('/etc', path)) : [];
  return [...shown, ...mounts('--ro-bind', resolver)];
}

/** Nothing is there, and nothing can be put there. */
function hide(path: string): string[] {
  return statsOf(path)?.isDirectory()
    ? ['--tmpfs', path, '--remount-ro', path]
    : ['--ro-bind', '/dev/null', path];
}

/** A folder within the workspace is made when it is missing; another one that is missing is left out. */
function made(path: string, own: readonly string[]): string[] {
  if (!statsOf(path) && own.some((folder) => isWithin(folder, path))) mkdirSync(path, { recursive: true });
  return realPath(path);
}

/** Mounts are made on real paths: a link in between could lead elsewhere. */
function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
