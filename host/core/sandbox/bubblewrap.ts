import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import type { Sandbox } from '../../api/sandbox.ts';
import { isWithin } from '../files/paths.ts';
import type { MountPlan } from './mount-plan.ts';

/** What a program of the system needs to run at all. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store'];

/** What lies in /run and is no way to another program: disks, and the systems of NixOS. */
const shownOfRun = ['/run/current-system', '/run/booted-system', '/run/opengl-driver', '/run/media'];

/** What the program gets beside its standard streams: the descriptor from which bubblewrap reads a filter. */
const filterDescriptor = 3;

/** The arguments with which bubblewrap runs `argv`, itself first. */
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
    // What is in /proc/sys belongs to root, also to one without rights: only a mount keeps it as it is.
    ['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    runtimeFiles(level, network),
    mountsOf(plan),
    level === 'strict' ? ['--setenv', 'HOME', '/tmp'] : [],
    ['--chdir', cwd, '--'],
    argv,
  ].flat();
}

/** From the outside in: a mount covers what lies beneath its place. */
function mountsOf({ readable, writable, readOnly, hidden }: Omit<MountPlan, 'close'>): string[] {
  const all = [
    ...readable.map((path) => ({ path, mount: ['--ro-bind', path, path] })),
    ...writable.map((path) => ({ path, mount: ['--bind', path, path] })),
    ...readOnly.map((path) => ({ path, mount: ['--ro-bind', path, path] })),
    ...hidden.map((path) => ({ path, mount: hide(path) })),
  ];
  return all.toSorted((one, other) => depth(one.path) - depth(other.path)).flatMap(({ mount }) => mount);
}

/** Empty, the sandbox's own, and closed to writing by its mode: a mount that is read-only takes bubblewrap far longer. */
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

/** Sockets of other programs are in /run, so little of it is shown. */
function runtimeFiles(level: Sandbox['level'], network: boolean): string[] {
  if (level === 'workspace' && !statsOf('/run')) return [];
  const shown = shownOfRun.filter((path) => statsOf(path));
  return [
    ...(level === 'workspace' ? ['--tmpfs', '/run'] : []),
    ...[...shown, ...(network ? resolver() : [])].flatMap((path) => ['--ro-bind', path, path]),
  ];
}

/** Where names of hosts are looked up is often a link out of /etc. */
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
