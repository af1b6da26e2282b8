import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { ProcessTree } from './process-tree.ts';
import { withCommas } from '../text/with-commas.ts';

/** Limits of one run with all its processes, at a time or in total. */
export interface TreeLimits {
  readonly processes: number;
  /** Bytes of unshared memory. */
  readonly memory: number;
  /** Bytes of standard output and error in total. */
  readonly output: number;
}

/** Far more than tools need. They keep one command from exhausting the machine. */
export const standardLimits = (): TreeLimits => (known ??= measure());
let known: TreeLimits | undefined;

function measure(): TreeLimits {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { processes: 1_000, memory: Math.floor(memory * 0.75), output: 10 * 1_073_741_824 };
}

/** Milliseconds between checks, the first after the start: short runs cost nothing. */
const looks = [100, 200, 400] as const;
const laterPollMs = 1_000;
/** Milliseconds between checks of long runs. A check takes 0.1 ms. */
const rarePollMs = 5_000;
/** New processes on the machine since the last check above which processes outside the group are searched too. */
const suspiciousMs = 200;

/**
 * Checks a running tree until disposed, and reports once which limit it exceeds. Requires /proc; elsewhere only the
 * time limit applies.
 */
export function enforceTreeLimits(
  tree: ProcessTree,
  { processes, memory }: Omit<TreeLimits, 'output'>,
  exceeded: (what: string) => void,
  { stays = false }: { readonly stays?: boolean } = {},
): Disposable {
  let count = 0;
  let before = Number.NaN;
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const now = processesOfMachine();
    const pids = tree.pids({ thorough: now - before > suspiciousMs });
    before = now;
    if (pids.length > processes)
      return exceeded(
        `it ran ${withCommas(pids.length)} processes at once, and ${withCommas(processes)} is the limit`,
      );
    const used = pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
    if (used > memory)
      return exceeded(`it took ${megabytes(used)} of memory, and ${megabytes(memory)} is the limit`);
    again();
  };
  const later = stays ? rarePollMs : laterPollMs;
  const again = (): void => {
    timer = setTimeout(look, looks[count++] ?? later);
    if (stays) timer.unref();
  };
  again();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

export const megabytes = (bytes: number): string => `${withCommas(Math.round(bytes / 1_048_576))} MB`;

/** The fourth field is "running/all". Takes 14 µs. */
function processesOfMachine(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[3]?.split('/')[1]);
  } catch {
    return 0;
  }
}

/** Unshared bytes: resident minus shared, the second and third fields of statm, in pages of 4 KiB. */
function memoryOf(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return (resident - shared) * 4_096;
  } catch {
    return 0;
  }
}
