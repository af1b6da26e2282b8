import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { signalTree } from '../platform/processes.ts';
import { processSurroundings } from '../platform/surroundings.ts';
import { isRunning, startOf } from '../platform/process-identity.ts';
import { hasMarkOf, type RunMark } from './run-mark.ts';

/** A variable in the environment of every process of a run, so that those that leave its group can be found. */
export const markerVariable = 'PEG_RUN';

/** All processes of one run: its process group, and processes that left it by setsid or a double fork. */
export interface ProcessTree {
  signal(signal: NodeJS.Signals): void;
  /**
   * The running ones. `thorough` also finds processes that left by a double fork, which checks every process of the
   * system.
   */
  pids(options: { readonly thorough: boolean }): readonly number[];
  /** Kills remaining processes repeatedly until none is left. Returns how many were found outside the group. */
  reap(): number;
}

/** Identifies the process that started a run. */
const beginner = (pid: number, start: string): string => `${pid}-${start}-`;

/** A marker for a new run. A Pegboard within another keeps the outer marker, so that the outer one finds all processes. */
export function createMarker(): string {
  const outer = processSurroundings().env[markerVariable];
  const own = `${beginner(process.pid, startOf(process.pid))}${randomBytes(9).toString('hex')}`;
  return outer === undefined ? own : `${outer}.${own}`;
}

/**
 * Kills processes left by the runs of a process that is gone, given by its id and start time as in `startOf`. Returns
 * their number.
 */
export function endOrphans(pid: number, start: string): number {
  // Without the start time, another process with the same id could be meant.
  if (start === '') return 0;
  const isLeft = (other: number): boolean =>
    other !== process.pid && (hasMarkOf(other, pid, start) || carries(other, beginner(pid, start)));
  return killAll(() => allPids().filter(isLeft));
}

/**
 * Kills repeatedly until none of them runs. Returns the maximum that ran at a time. A zombie keeps its pid and its
 * mark, forever in a container without an init.
 */
function killAll(find: () => number[]): number {
  let found = 0;
  for (let round = 0; round < maxRounds; round++) {
    const pids = find().filter(isRunning);
    if (pids.length === 0) break;
    found = Math.max(found, pids.length);
    for (const pid of pids) send(pid, 'SIGKILL');
  }
  return found;
}

/** In a longer run, process ids may have wrapped around. In a shorter one, a child's id is greater than its parent's. */
const shortRunMs = 500;
/** Up to this many ids are checked one by one. */
const fewPids = 256;
/** Enough to kill a process that forks as fast as it can. */
const maxRounds = 50;

/**
 * `leader` is the id of a process that leads its own group and has `marker` and `mark`. With `sparesLeader`, only its
 * descendants are signalled: it ends when they have ended.
 */
export function openProcessTree(
  leader: number,
  marker: string,
  {
    sparesLeader = false,
    mark,
  }: { readonly sparesLeader?: boolean; readonly mark?: RunMark | undefined } = {},
): ProcessTree {
  const own = marker.slice(marker.lastIndexOf('.') + 1);
  const startedAt = performance.now();

  const escaped = (): number[] => {
    const candidates =
      (performance.now() - startedAt < shortRunMs ? pidsSince(leader) : undefined) ?? allPids();
    const isOurs = (pid: number): boolean => mark?.isOn(pid) === true || carries(pid, own);
    return candidates.filter((pid) => pid !== leader && pid !== process.pid && isOurs(pid));
  };
  return {
    signal(signal) {
      // Lists the descendants first, because those of a dying process are re-parented.
      const others = new Set([...descendants(leader), ...escaped()]);
      if (!sparesLeader || signal === 'SIGKILL') signalTree(leader, signal);
      for (const pid of others) send(pid, signal);
    },
    pids: ({ thorough }) => [...new Set([leader, ...descendants(leader), ...(thorough ? escaped() : [])])],
    reap() {
      signalTree(leader, 'SIGKILL');
      const found = killAll(escaped);
      mark?.[Symbol.dispose]();
      return found;
    },
  };
}

/** The ids allocated after `leader`, if there are few enough and all descendants are surely among them. */
function pidsSince(leader: number): number[] | undefined {
  // The last field is the most recently allocated id: 14 µs, where reading all of /proc takes 4 ms for 300 processes.
  const last = Number(read('/proc/loadavg')?.toString().trim().split(' ').at(-1));
  if (!(last >= leader && last - leader <= fewPids)) return undefined;
  return Array.from({ length: last - leader }, (_, offset) => leader + 1 + offset).filter((pid) =>
    existsSync(`/proc/${pid}`),
  );
}

function allPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return []; // Without /proc, only the process group is known.
  }
}

function carries(pid: number, marker: string): boolean {
  for (let attempt = 0; attempt < maxPauses; attempt++) {
    const before = placeOfEnvironment(pid);
    const environment = read(`/proc/${pid}/environ`);
    if (environment === undefined) return false;
    if (environment.length > 0) return environment.includes(marker);
    if (before !== undefined && before === placeOfEnvironment(pid)) return false;
    pause();
  }
  return false;
}

/**
 * The address of a process's environment. Undefined while the process replaces its program: the environment then reads
 * as empty, as it does for zombies and kernel threads, which have none (proc(5): state, vsize, env_start, env_end).
 */
function placeOfEnvironment(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)?.toString();
  if (stat === undefined) return 'gone';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, memory, start, end] = [fields[0], fields[20], fields[47], fields[48]];
  if (memory === '0') return state === 'R' ? undefined : 'none';
  return end === '0' ? undefined : `${start}-${end}`;
}

/** Each 1 ms. Replacing the program takes longer on a busy machine. */
const maxPauses = 100;
const nothing = new Int32Array(new SharedArrayBuffer(4));
const pause = (): void => void Atomics.wait(nothing, 0, 0, 1);

/** Iterative, because there may be thousands of generations. */
function descendants(pid: number): number[] {
  const found = [pid];
  for (const parent of found) {
    const children = read(`/proc/${parent}/task/${parent}/children`)?.toString() ?? '';
    for (const child of children.split(' ')) if (child !== '') found.push(Number(child));
  }
  return found.slice(1);
}

/** Undefined for a process that is gone or belongs to another user. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or another user's (sudo).
  }
}
