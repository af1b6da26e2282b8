import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isRunning, startOf } from './process-identity.ts';
import { bearsMarkOf, type RunMark } from './run-mark.ts';

/** In the environment of every process of a run, so that one which left its group can still be found. */
export const markerVariable = 'PEG_RUN';

/** Everything that came out of one run: its process group, and whoever left that by setsid or a double fork. */
export interface ProcessTree {
  signal(signal: NodeJS.Signals): void;
  /** Those that run just now. `thorough` also finds who left by a double fork, and looks at every process for it. */
  pids(options: { readonly thorough: boolean }): readonly number[];
  /** Kills what is still there, again until nothing is. Returns how many processes were found outside the group. */
  reap(): number;
}

/** Which process began a run. */
const beginner = (pid: number, start: string): string => `${pid}-${start}-`;

/** A marker for a new run. One Pegboard inside another keeps the outer marker, so that the outer finds all. */
export function createMarker(): string {
  const outer = process.env[markerVariable];
  const own = `${beginner(process.pid, startOf(process.pid))}${randomBytes(9).toString('hex')}`;
  return outer === undefined ? own : `${outer}.${own}`;
}

/**
 * Kills what the runs of a process left behind that is gone: its pid and when it began, as in `startOf`. Returns how
 * many there were.
 */
export function endOrphans(pid: number, start: string): number {
  // Without it, another process of the same number would be taken for it.
  if (start === '') return 0;
  const isLeft = (other: number): boolean =>
    other !== process.pid && (bearsMarkOf(other, pid, start) || carries(other, beginner(pid, start)));
  return killAll(() => allPids().filter(isLeft));
}

/**
 * Again until none of them runs. Returns the most that ran at a time. One that has ended and that nobody has waited for
 * keeps its number and its mark, in a container without an init for ever.
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

/** Pids could have gone all the way round within a longer run; in a shorter one a child's pid lies above its parent's. */
const shortRunMs = 500;
/** More than these are not tried one by one. */
const fewPids = 256;
/** A process that forks as fast as it can is killed within a few rounds. */
const maxRounds = 50;

/**
 * `leader` is the pid of a process that leads its own group and carries `marker` and `mark`. With `sparesLeader` it is not asked to
 * end, only what it started: it goes when that has gone.
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
    const isOurs = (pid: number): boolean => mark?.isBorneBy(pid) === true || carries(pid, own);
    return candidates.filter((pid) => pid !== leader && pid !== process.pid && isOurs(pid));
  };
  return {
    signal(signal) {
      // The descendants are listed first: those of a process that dies have another parent afterwards.
      const others = new Set([...descendants(leader), ...escaped()]);
      if (!sparesLeader || signal === 'SIGKILL') send(-leader, signal);
      for (const pid of others) send(pid, signal);
    },
    pids: ({ thorough }) => [...new Set([leader, ...descendants(leader), ...(thorough ? escaped() : [])])],
    reap() {
      send(-leader, 'SIGKILL');
      const found = killAll(escaped);
      mark?.[Symbol.dispose]();
      return found;
    },
  };
}

/** The pids given out after `leader`'s, when they are few and surely no others can be its descendants'. */
function pidsSince(leader: number): number[] | undefined {
  // Its last field is the pid given out last: 14 µs, where reading all of /proc takes 4 ms for 300 processes.
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
    return []; // No /proc on this system: the process group is all that can be known.
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
 * Where a process has its environment in memory; undefined while it becomes another program: then it reads as empty,
 * as it does for zombies and kernel threads, which have none (proc(5): state, vsize, env_start, env_end).
 */
function placeOfEnvironment(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)?.toString();
  if (stat === undefined) return 'gone';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, memory, start, end] = [fields[0], fields[20], fields[47], fields[48]];
  if (memory === '0') return state === 'R' ? undefined : 'none';
  return end === '0' ? undefined : `${start}-${end}`;
}

/** Milliseconds, one each: the moment lasts as long as a busy machine makes it. */
const maxPauses = 100;
const nothing = new Int32Array(new SharedArrayBuffer(4));
const pause = (): void => void Atomics.wait(nothing, 0, 0, 1);

/** Generations may be thousands deep: each grows the list that is walked. */
function descendants(pid: number): number[] {
  const found = [pid];
  for (const parent of found) {
    const children = read(`/proc/${parent}/task/${parent}/children`)?.toString() ?? '';
    for (const child of children.split(' ')) if (child !== '') found.push(Number(child));
  }
  return found.slice(1);
}

/** Undefined for a process that is gone or not ours. */
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
    // Gone already, or another user's (sudo): nothing that we could do.
  }
}
