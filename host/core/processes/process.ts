import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { PegboardError, messageOf } from '../errors.ts';
import { childStdio } from './child-stdio.ts';
import { hideEnvironment } from './hide-environment.ts';
import { createOutputBuffer } from './output-buffer.ts';
import type { Confinement } from '../sandbox/boundary.ts';
import type { Confined } from '../sandbox/confine.ts';
import { megabytes, standardLimits, enforceTreeLimits, type TreeLimits } from './tree-limits.ts';
import { createRunMark, startErrorIn } from './run-mark.ts';
import { createMarker, markerVariable, openProcessTree, type ProcessTree } from './process-tree.ts';

export interface ProcessOptions {
  /** The program and its arguments. A bare name is looked up in the environment's PATH. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment: see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: standard input is closed. */
  readonly stdin?: string;
  /** Ends the whole tree. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the whole tree is ended. Absent: no limit but the signal's. */
  readonly timeoutMs?: number;
  /** Absent: it may do all that this process may. */
  readonly confinement?: Confinement | undefined;
  /** Bytes of each stream that are kept whole; beyond it head and tail. Default 10 MB. */
  readonly maxBytes?: number;
  /** Default: `standardLimits()`. */
  readonly limits?: Partial<TreeLimits>;
  /** Sees every chunk as it comes. Must not throw. */
  readonly onOutput?: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
}

export interface ProcessResult {
  /** Null when a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** `exit`: by itself. The others: it was stopped by us. */
  readonly ended: 'exit' | 'timeout' | 'aborted';
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that did not fit into `maxBytes`; a line in the text stands where they were. */
  readonly omitted: { readonly stdout: number; readonly stderr: number };
  /** Processes that had left the group and were still running at the end. */
  readonly leftovers: number;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 2_000;
/** Milliseconds that a process which inherited the pipes may hold up the end. */
const settleMs = 250;
const defaultMaxBytes = 10_000_000;

const running = new Set<ProcessTree>();

/**
 * Runs a program to its end, and ends with it everything that it started, also what left its process group.
 * Throws PEG_PROGRAM_NOT_FOUND, PEG_NO_SANDBOX where it can't be confined as it should be, PEG_LIMIT when it took more of
 * the machine than it may, and PEG_COMMAND_FAILED when it can't be started for another reason; a program that fails or is
 * stopped is a result.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  await checkFolder(options);
  if (options.signal?.aborted) return neverStarted;
  const { argv, cwd, confinement } = options;
  if (!confinement) return await runTree(options);
  const { confine, checkConfined, limitsOf } = await import('../sandbox/confine.ts');
  const limits = { ...options.limits, ...limitsOf(confinement.sandbox) };
  const confined = await confine(argv, { who: argv[0]!, cwd, confinement });
  let left: string | undefined;
  const result = await runTree({ ...options, limits, argv: confined.argv }, confined).finally(() => {
    left = confined.ended();
  });
  checkConfined(result, options);
  return left === undefined ? result : { ...result, stderr: `${result.stderr}${left}\n` };
}

async function runTree(options: ProcessOptions, confined?: Confined): Promise<ProcessResult> {
  const marker = createMarker();
  // Who is confined can't get out of the namespace that ends with it.
  const mark = confined
    ? undefined
    : createRunMark(options.argv, { path: options.environment['PATH'], cwd: options.cwd });
  const child = start({ ...options, argv: mark?.argv ?? options.argv }, marker, confined);
  if (child.pid === undefined) throw await startFailure(child, options);
  const tree = openProcessTree(child.pid, marker, {
    sparesLeader: confined?.goesLast ?? false,
    mark,
  });
  running.add(tree);
  try {
    const result = await finish(child, tree, options);
    const code = mark && startErrorIn(result);
    if (code !== undefined) throw notStarted({ code }, options);
    return result;
  } finally {
    running.delete(tree);
  }
}

function start(options: ProcessOptions, marker: string, confined: Confined | undefined): ChildProcess {
  const [program = '', ...args] = options.argv;
  endAllAtExit();
  hideEnvironment();
  try {
    return spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.environment, [markerVariable]: marker },
      detached: true,
      stdio: childStdio([
        options.stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(confined?.descriptors ?? []),
      ]),
      windowsHide: true,
    });
  } catch (cause) {
    throw notStarted(cause, options);
  } finally {
    confined?.started();
  }
}

function finish(child: ChildProcess, tree: ProcessTree, options: ProcessOptions): Promise<ProcessResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessResult>();
  const { signal, onOutput, maxBytes = defaultMaxBytes } = options;
  const outputs = { stdout: createOutputBuffer(maxBytes), stderr: createOutputBuffer(maxBytes) };
  const timers: NodeJS.Timeout[] = [];
  const limits = { ...standardLimits(), ...options.limits };
  let given = 0;
  let ended: ProcessResult['ended'] = 'exit';
  let tooMuch: PegboardError | undefined;
  let exited = false;
  let done = false;

  const later = (ms: number, action: () => void): void => void timers.push(setTimeout(action, ms));
  const stop = (why: ProcessResult['ended']): void => {
    if (exited || ended !== 'exit') return;
    ended = why;
    tree.signal('SIGTERM');
    later(graceMs, () => {
      tree.signal('SIGKILL');
      later(settleMs, conclude); // Even a process that the kernel can't kill now must not hold up the caller.
    });
  };
  const exceed = (what: string): void => {
    if (tooMuch || done) return;
    tooMuch = overLimit(options, what);
    // No grace: who forks without end would use it.
    tree.signal('SIGKILL');
    later(settleMs, conclude);
  };
  const watch = enforceTreeLimits(tree, limits, exceed);
  const conclude = (): void => {
    if (done) return;
    done = true;
    timers.forEach(clearTimeout);
    watch[Symbol.dispose]();
    signal?.removeEventListener('abort', onAbort);
    const leftovers = tree.reap();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    if (tooMuch) return reject(tooMuch);
    resolve({
      exitCode: child.exitCode,
      signal: child.signalCode,
      ended,
      stdout: outputs.stdout.text(),
      stderr: outputs.stderr.text(),
      omitted: { stdout: outputs.stdout.omitted, stderr: outputs.stderr.omitted },
      leftovers,
    });
  };
  const onAbort = (): void => stop('aborted');

  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.on('data', (chunk: Buffer) => {
      outputs[name].push(chunk);
      given += chunk.length;
      if (given > limits.output) exceed(`it printed more than ${megabytes(limits.output)}`);
      onOutput?.(chunk, name);
    });
    child[name]!.on('error', () => {}); // A pipe that breaks has ended; what it gave is kept.
  }
  child.stdin?.on('error', () => {}); // The program closed it, or ended, without reading everything.
  child.stdin?.end(options.stdin);
  child.on('close', conclude);
  child.on('exit', () => {
    exited = true;
    // 'close' waits for everyone who holds a pipe. One more turn of the loop reads what has come while it was busy.
    later(settleMs, () => setImmediate(conclude));
  });
  signal?.addEventListener('abort', onAbort, { once: true });
  if (options.timeoutMs !== undefined) later(options.timeoutMs, () => stop('timeout'));
  return promise;
}

const neverStarted: ProcessResult = {
  exitCode: null,
  signal: null,
  ended: 'aborted',
  stdout: '',
  stderr: '',
  omitted: { stdout: 0, stderr: 0 },
  leftovers: 0,
};

/** The system reports a missing folder as if the program were missing, so it is looked at first. */
async function checkFolder({ argv, cwd }: ProcessOptions): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new PegboardError(
    'PEG_COMMAND_FAILED',
    `The folder ${cwd}, in which ${argv[0]} should run, ${found ? 'is not a folder' : 'does not exist'}. Check "cwd".`,
  );
}

function overLimit({ argv }: ProcessOptions, what: string): PegboardError {
  const message = `${argv[0]} was ended with all that it had started: ${what}. Let it do less at a time.`;
  return new PegboardError('PEG_LIMIT', message, { data: { program: argv[0] } });
}

async function startFailure(child: ChildProcess, options: ProcessOptions): Promise<PegboardError> {
  const cause = await new Promise((resolve) => child.once('error', resolve));
  return notStarted(cause, options);
}

function notStarted(cause: unknown, { argv, cwd }: ProcessOptions): PegboardError {
  const program = argv[0] ?? '';
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return new PegboardError(
        'PEG_PROGRAM_NOT_FOUND',
        program.includes('/')
          ? `The program ${program} does not exist (looked for from ${cwd}), or the interpreter named in its first line doesn't.`
          : `The program "${program}" is not installed, or is not in PATH. Install it, or write its path in the command.`,
        { cause, data: { program } },
      );
    case 'EACCES':
      return new PegboardError(
        'PEG_PROGRAM_NOT_FOUND',
        `The program ${program} may not be executed. Make it executable: chmod +x ${program}`,
        { cause, data: { program } },
      );
    case 'E2BIG':
      return new PegboardError(
        'PEG_COMMAND_FAILED',
        `The arguments of ${program} are longer than the system allows. Pass long text through a file.`,
        { cause, data: { program } },
      );
    default:
      return new PegboardError(
        'PEG_COMMAND_FAILED',
        `${program} could not be started: ${messageOf(cause)}.`,
        {
          cause,
          data: { program },
        },
      );
  }
}

let registered = false;

/** Own process groups survive the host unless it takes them along, however it exits. */
function endAllAtExit(): void {
  if (registered) return;
  registered = true;
  process.on('exit', () => {
    for (const tree of running) {
      tree.signal('SIGKILL');
      tree.reap();
    }
  });
}
