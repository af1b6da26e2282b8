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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../../host/core/platform/process-identity.ts';
import { tier } from './tiers.ts';

const memory = '/dev/shm';
const prefix = 'pegtests-';
/** Bytes that have to be free: a run of `npm test` keeps up to 0.6 GB in memory, one of all tests up to 4, beside its processes. */
const needed = (tier === 'usual' ? 4 : 8) * 1024 ** 3;

/** Characters of the folder for temporary files: paths of sockets may have a hundred in all. */
const maxFolderLength = 60;

/**
 * What tests write goes into a folder of this run, which is removed at its end: in memory where there is enough of it, since a
 * disk takes a third of a run's time. Whoever sets TMPDIR decides where instead.
 */
export default function setup(): () => void {
  const given = process.env['TMPDIR'];
  const place = given === undefined && isUsable() ? memory : tmpdir();
  if (place.length > maxFolderLength)
    throw new Error(
      `The folder for temporary files, ${place}, has ${place.length} characters, and sockets in it would have too many: set TMPDIR to one with at most ${maxFolderLength}.`,
    );
  readdirSync(place)
    .filter((name) => isLeftBehind(place, name))
    .forEach((name) => remove(join(place, name)));
  const folder = join(place === memory && freeBytes() < needed ? tmpdir() : place, `${prefix}${process.pid}`);
  mkdirSync(folder);
  // Like /tmp: Postgres runs as another user.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  const end = (): void => remove(folder);
  // Also when it is interrupted.
  process.once('exit', end);
  return end;
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
function isLeftBehind(place: string, name: string): boolean {
  if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) return false;
  return lstatSync(join(place, name)).uid === process.getuid?.();
}

function remove(folder: string): void {
  if (!existsSync(folder)) return;
  // A test that failed may have left what this user can't open.
  spawnSync('chmod', ['-R', 'u+rwx', folder]);
  rmSync(folder, { recursive: true, force: true });
}
