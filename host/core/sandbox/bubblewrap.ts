import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import type { Sandbox } from '../../api/sandbox.ts';
import { isWithin } from '../files/paths.ts';
import type { MountPlan } from './mount-plan.ts';

/** Paths that a program needs to run at all. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store'];

/** Paths in /run that don't give access to other programs: disks, and the system of NixOS. */
const shownOfRun = ['/run/current-system', '/run/booted-system', '/run/opengl-driver', '/run/media'];

/** The descriptor from which bubblewrap reads the filter. */
const filterDescriptor = 3;

/** The arguments that run `argv` in bubblewrap, including the program itself. */
export function bubblewrapArgv(
  { level, network }: Pick<Sandbox, 'level' | 'network'>,
  plan: Omit<MountPlan, 'close'>,
  argv: readonly string[],
  { cwd, isFiltered }: { readonly cwd: string; readonly isFiltered: boolean },
): string[] {
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
    isFiltered ? ['--seccomp', String(filterDescriptor)] : [],
    level === 'strict' ? systemOnly() : ['--ro-bind', '/', '/'],
    // /proc/sys belongs to root, also without capabilities, so only a mount protects it.
    ['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    runtimeFiles(level, network),
    mountsOf(plan),
    level === 'strict' ? ['--setenv', 'HOME', '/tmp'] : [],
    ['--chdir', cwd, '--'],
    argv,
  ].flat();
}

/** From the outside in, because a mount hides what is below its path. */
function mountsOf({ readable, writable, readOnly, hidden }: Omit<MountPlan, 'close'>): string[] {
  const all = [
    ...readable.map((path) => ({ path, mount: ['--ro-bind', path, path] })),
    ...writable.map((path) => ({ path, mount: ['--bind', path, path] })),
    ...readOnly.map((path) => ({ path, mount: ['--ro-bind', path, path] })),
    ...hidden.map((path) => ({ path, mount: hide(path) })),
  ];
  return all.toSorted((one, other) => depth(one.path) - depth(other.path)).flatMap(({ mount }) => mount);
}

/**
 * An empty folder of the sandbox that is write-protected by its mode. A read-only mount would take bubblewrap far
 * longer.
 */
const hide = (path: string): string[] =>
  isFolder(path) ? ['--perms', '0555', '--tmpfs', path] : ['--ro-bind', '/dev/null', path];

const depth = (path: string): number => path.split(sep).length;

function systemOnly(): string[] {
  return system.flatMap((path) => {
    const stats = statsOf(path);
    if (!stats) return [];
    return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
}

/** /run contains sockets of other programs, so only a small part of it is visible. */
function runtimeFiles(level: Sandbox['level'], network: boolean): string[] {
  if (level === 'workspace' && !statsOf('/run')) return [];
  const shown = shownOfRun.filter((path) => statsOf(path));
  return [
    ...(level === 'workspace' ? ['--tmpfs', '/run'] : []),
    ...[...shown, ...(network ? resolver() : [])].flatMap((path) => ['--ro-bind', path, path]),
  ];
}

/** The resolver configuration is often a link that leads out of /etc. */
function resolver(): readonly string[] {
  try {
    return [realpathSync('/etc/resolv.conf')].filter((path) => !isWithin('/etc', path));
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
