import { readFileSync, rmSync } from 'node:fs';
import { PegboardError } from '../../core/errors.ts';
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

/** A host may run for years; only a holder on another machine counts as dead after a day without a sign of life. */
const forever = Number.POSITIVE_INFINITY;

/**
 * One long-running host per home: two would poll the same bot and run the same schedules. Disposing releases the lock.
 * Throws PEG_DENIED, naming the holder. The lock of a dead process is taken over, and its remaining child processes are
 * stopped.
 */
export async function lockHome(path: string, kind: HolderKind = 'a host'): Promise<HomeLock> {
  const mine: Holder = { owner: thisProcess, kind, since: new Date().toISOString() };
  // Of several that find no holder, or a dead one, only one may take the lock.
  await withFileLock(path, async () => {
    const holder = readHolder(path);
    if (holder && !isAbandoned(holder.owner, holder.since, forever)) throw heldBy(holder, path);
    if (holder) endOrphansOf(holder);
    await write(path, mine);
  });
  return {
    noteHealth: (health) => write(path, { ...mine, health }),
    [Symbol.dispose]: () => release(path),
  };
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
  const holder = readHolder(path);
  if (!holder || holder.owner === thisProcess || isAbandoned(holder.owner, holder.since, forever))
    return undefined;
  return describe(holder);
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

function heldBy(holder: Holder, path: string): PegboardError {
  const at = holder.since.slice(0, 16).replace('T', ' ');
  return new PegboardError(
    'PEG_DENIED',
    `This home is in use by ${describe(holder)}, since ${at} UTC. Stop that first; if it no longer exists, delete ${path}.`,
  );
}
