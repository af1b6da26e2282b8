import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import { makePrivateFolder } from '../../core/files/private-data.ts';
import { writeFileAtomically } from '../../core/files/write-file-atomically.ts';
import { endOrphans } from '../../core/processes/process-tree.ts';
import { isAbandoned, thisProcess } from '../../core/processes/owner.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { withFileLock } from './file-lock.ts';

/** What a process does that holds a home. */
export type HolderKind = 'a host' | 'a set-up' | 'an upgrade' | 'a restore' | 'a move';

interface Holder {
  readonly owner: string;
  /** Absent in the locks of older versions. */
  readonly kind?: HolderKind;
  /** ISO 8601 */
  readonly since: string;
  /** Address that responds while the holder is healthy. */
  readonly health?: string;
}

/** Disposing releases the lock. */
export interface HomeLock extends Disposable {
  /** Address for a supervisor that restarts the holder and checks its health. */
  noteHealth(address: string): Promise<void>;
}

export interface LockOptions {
  readonly kind?: HolderKind;
  /** Others that share it may hold it at the same time, on other machines too. */
  readonly shared?: boolean;
}

/** A host may run for years; a holder on another machine counts as alive until its lock is deleted. */
const forever = Number.POSITIVE_INFINITY;
/** Milliseconds between two signs of life of a holder that shares. */
const signMs = 10_000;
/** Milliseconds after which such a holder on another machine counts as dead. */
const silenceMs = 60_000;

/**
 * One long-running host per home: two would poll the same bot and run the same schedules. Hosts whose state is on Postgres
 * divide the work among themselves and share the lock. Disposing releases it. Throws PEG_DENIED, naming the holder. The
 * lock of a dead process is taken over, and its remaining child processes are stopped.
 */
export async function lockHome(
  path: string,
  { kind = 'a host', shared = false }: LockOptions = {},
): Promise<HomeLock> {
  const mine: Holder = { owner: thisProcess, kind, since: new Date().toISOString() };
  const own = shared ? join(sharersOf(path), `${thisProcess.split('/').slice(0, 2).join('-')}.json`) : path;
  // Of several that find no holder, or a dead one, only one may take the lock.
  await withFileLock(path, async () => {
    for (const found of holdersOf(path)) {
      if (!isDead(found)) {
        if (!shared || !found.isShared) throw heldBy(found);
        continue;
      }
      endOrphansOf(found.holder);
      if (found.path !== own) rmSync(found.path, { force: true });
    }
    if (shared) makePrivateFolder(sharersOf(path));
    await write(own, mine);
  });
  const signs = shared ? setInterval(() => showLife(own), signMs) : undefined;
  signs?.unref();
  return {
    noteHealth: (health) => write(own, { ...mine, health }),
    [Symbol.dispose]() {
      clearInterval(signs);
      release(own);
    },
  };
}

/** The folder with a file for each holder that shares the lock. */
const sharersOf = (path: string): string => `${path}s`;

interface FoundHolder {
  readonly path: string;
  readonly holder: Holder;
  readonly isShared: boolean;
}

function holdersOf(path: string): readonly FoundHolder[] {
  const folder = sharersOf(path);
  const sharing = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [path, ...sharing].flatMap((file) => {
    const holder = readHolder(file);
    return holder ? [{ path: file, holder, isShared: file !== path }] : [];
  });
}

const isDead = ({ path, holder, isShared }: FoundHolder): boolean =>
  isShared
    ? isAbandoned(holder.owner, lastSign(path), silenceMs)
    : isAbandoned(holder.owner, holder.since, forever);

/** ISO 8601. */
const lastSign = (path: string): string =>
  new Date(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).toISOString();

function showLife(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Somebody has deleted it, or its folder is not there for a moment.
  }
}

/** Atomically, so that nobody takes a file that is being written for one that a crash has truncated. */
const write = (path: string, holder: Holder): Promise<void> =>
  writeFileAtomically(path, JSON.stringify(holder), 0o600);

function endOrphansOf({ owner }: Holder): void {
  const [, pid, start = ''] = owner.split('/');
  endOrphans(Number(pid), start);
}

/** Another process that holds this home: "a host (process 12 on box)". */
export function otherHolder(path: string): string | undefined {
  const found = holdersOf(path).find((one) => one.holder.owner !== thisProcess && !isDead(one));
  return found && describe(found.holder);
}

function describe({ owner, kind = 'a host' }: Holder): string {
  const [host, pid] = owner.split('/');
  return `${kind} (process ${pid} on ${host})`;
}

function release(path: string): void {
  if (readHolder(path)?.owner === thisProcess) rmSync(path, { force: true });
}

/** Undefined when the file is missing, or was truncated by a crash. */
function readHolder(path: string): Holder | undefined {
  try {
    const holder = parseJson(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof holder.owner === 'string' && typeof holder.since === 'string'
      ? (holder as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}

function heldBy({ holder, path }: FoundHolder): PegboardError {
  const at = holder.since.slice(0, 16).replace('T', ' ');
  return new PegboardError(
    'PEG_DENIED',
    `This home is in use by ${describe(holder)}, since ${at} UTC. Stop that first; if it no longer exists, delete ${path}.`,
  );
}
