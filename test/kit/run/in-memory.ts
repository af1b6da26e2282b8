import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../host/core/platform/process-identity.ts';
import { tier } from './tiers.ts';

const memory = '/dev/shm';
const prefix = 'pegboard-tests-';
/** Bytes that have to be free: a run of `npm test` keeps up to 0.6 GB in memory, one of all tests up to 4, beside its processes. */
const needed = (tier === 'usual' ? 4 : 8) * 1024 ** 3;

/**
 * What tests write is kept in memory where there is enough of it: a disk takes a third of a run's time. Whoever sets TMPDIR
 * decides otherwise.
 */
export default function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return undefined;
  readdirSync(memory).filter(isLeftBehind).forEach(remove);
  if (freeBytes() < needed) return undefined;
  const name = `${prefix}${process.pid}`;
  const folder = join(memory, name);
  mkdirSync(folder);
  // Like /tmp: Postgres runs as another user.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return () => remove(name);
}

/** Whether it is kept in memory, and programs in it may be run. */
function isUsable(): boolean {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  const options = new RegExp(`^\\S+ ${memory} tmpfs (\\S+)`, 'm').exec(mounts)?.[1]?.split(',');
  return options !== undefined && !options.includes('noexec');
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** By a run of this user that was killed. */
function isLeftBehind(name: string): boolean {
  if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) return false;
  return lstatSync(join(memory, name)).uid === process.getuid?.();
}

function remove(name: string): void {
  const folder = join(memory, name);
  // A test that failed may have left what this user can't open.
  spawnSync('chmod', ['-R', 'u+rwx', folder]);
  rmSync(folder, { recursive: true, force: true });
}
