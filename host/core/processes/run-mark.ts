import { randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { processSurroundings } from '../platform/surroundings.ts';
import { startOf } from '../platform/process-identity.ts';

/**
 * A mark that all processes of a run inherit, whatever they do with their environment, descriptors, group and session:
 * the hard limit of file locks, which Linux no longer enforces, is inherited and can't be raised. `prlimit` of
 * util-linux sets it and then becomes the program, about a millisecond later.
 */
export interface RunMark extends Disposable {
  /** The arguments that start the program with the mark. */
  readonly argv: readonly string[];
  isOn(pid: number): boolean;
}

const program = 'prlimit';
/** The lowest bits are for marks of another Pegboard within a run, which are lower than the run's own mark. */
const nestedBits = 20n;
const numberBits = 10n;
const startBits = 10n;
const maxNumbers = 1 << Number(numberBits);

const taken = new Set<number>();
let lastNumber = 0;

/** Undefined without prlimit or /proc, and when `argv` can't be started at all. */
export function createRunMark(
  argv: readonly string[],
  { path, cwd }: { readonly path: string | undefined; readonly cwd: string },
): RunMark | undefined {
  const setter = whereIs(program, processSurroundings().env['PATH'], '/');
  const [first = ''] = argv;
  // Node has the best error message for this.
  if (setter === undefined || whereIs(first, path, cwd) === undefined) return undefined;
  const own = limitOf('self');
  if (own === undefined) return undefined;
  return own === 'unlimited' ? outermost(setter, argv) : nested(setter, argv, own);
}

/** Why runs can't be marked on this machine. Undefined if they can. */
export function runMarkProblem(): string | undefined {
  if (limitOf('self') === undefined) return 'there is no /proc with limits of processes';
  return whereIs(program, processSurroundings().env['PATH'], '/') === undefined
    ? 'prlimit is not installed (it belongs to util-linux)'
    : undefined;
}

/** Whether the process has a mark set by the process `beginner`, which started at `start`. */
export function hasMarkOf(pid: number, beginner: number, start: string): boolean {
  const limit = limitOf(pid);
  return typeof limit === 'bigint' && limit >> (nestedBits + numberBits) === prefix(beginner, start);
}

/** The error code that Node would have given, from prlimit's message that it couldn't start the program. */
export function startErrorIn({
  exitCode,
  stderr,
}: {
  readonly exitCode: number | null;
  readonly stderr: string;
}): string | undefined {
  if (!stderr.startsWith(`${program}: failed to execute `)) return undefined;
  return exitCode === 127 ? 'ENOENT' : exitCode === 126 ? 'EACCES' : undefined;
}

function outermost(setter: string, argv: readonly string[]): RunMark {
  const number = freeNumber();
  const above = (prefix(process.pid, startOf(process.pid)) << numberBits) | BigInt(number);
  const limit = (above << nestedBits) | ((1n << nestedBits) - 1n);
  return {
    argv: [setter, `--locks=${limit}`, ...argv],
    isOn(pid) {
      const found = limitOf(pid);
      return typeof found === 'bigint' && found >> nestedBits === above;
    },
    [Symbol.dispose]: () => void taken.delete(number),
  };
}

/** Within a run of another Pegboard, which also finds processes with this mark. */
function nested(setter: string, argv: readonly string[], own: bigint): RunMark | undefined {
  const room = own & ((1n << nestedBits) - 1n);
  if (room < 1n || own >> nestedBits === 0n) return undefined;
  const limit = own - BigInt(randomInt(1, Number(room) + 1));
  return {
    argv: [setter, `--locks=${limit}`, ...argv],
    isOn: (pid) => limitOf(pid) === limit,
    [Symbol.dispose]: () => {},
  };
}

const prefix = (pid: number, start: string): bigint =>
  (BigInt(pid) << startBits) | (BigInt(start || '0') & ((1n << startBits) - 1n));

function freeNumber(): number {
  do lastNumber = (lastNumber + 1) % maxNumbers;
  while (taken.has(lastNumber) && taken.size < maxNumbers);
  taken.add(lastNumber);
  return lastNumber;
}

/** The hard limit. Undefined for a process that is gone. */
function limitOf(pid: number | 'self'): bigint | 'unlimited' | undefined {
  try {
    const [, limit] =
      /^Max file locks\s+\S+\s+(\d+|unlimited)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return limit === undefined || limit === 'unlimited' ? limit : BigInt(limit);
  } catch {
    return undefined;
  }
}

/** The path of an executable. */
function whereIs(name: string, path: string | undefined, cwd: string): string | undefined {
  const places = name.includes('/')
    ? [resolve(cwd, name)]
    : (path ?? '').split(delimiter).map((folder) => join(resolve(cwd, folder), name));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
}
