import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { PegboardError, messageOf } from '../errors.ts';
import { atProcessExit, leadsGroup } from '../platform/processes.ts';
import { pathOf, spawnable } from '../platform/programs.ts';
import { childStdio } from './child-stdio.ts';
import { hideEnvironment } from './hide-environment.ts';
import { createOutputBuffer } from './output-buffer.ts';
import type { Confinement } from '../sandbox/boundary.ts';
import type { Confined } from '../sandbox/confine.ts';
import { megabytes, standardLimits, enforceTreeLimits, type TreeLimits } from './tree-limits.ts';
import { createRunMark, startErrorIn } from './run-mark.ts';
import { createMarker, markerVariable, openProcessTree, type ProcessTree } from './process-tree.ts';
import { asSentence } from '../text/as-sentence.ts';

export interface ProcessOptions {
  /** The program and its arguments. A bare name is looked up in the environment's PATH. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment. See `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: standard input is closed. */
  readonly stdin?: string;
  /** Ends the whole process tree. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the whole process tree is ended. Default: no limit. */
  readonly timeoutMs?: number;
  /** Absent: the program is not sandboxed. */
  readonly confinement?: Confinement | undefined;
  /** Bytes kept of each stream. Beyond that, head and tail are kept. Default: 10 MB. */
  readonly maxBytes?: number;
  /** Default: `standardLimits()`. */
  readonly limits?: Partial<TreeLimits>;
  /** Gets every chunk as it arrives. Must not throw. */
  readonly onOutput?: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
}

export interface ProcessResult {
  /** Null when a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** `exit`: the program ended by itself. Otherwise it was stopped. */
  readonly ended: 'exit' | 'timeout' | 'aborted';
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that exceeded `maxBytes`. A line in the text marks their position. */
  readonly omitted: { readonly stdout: number; readonly stderr: number };
  /** Processes that had left the group and were still running at the end. */
  readonly leftovers: number;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 2_000;
/** Milliseconds to wait for processes that inherited the pipes. */
const settleMs = 250;
const defaultMaxBytes = 10_000_000;

const running = new Set<ProcessTree>();

/**
 * Runs a program to its end, and then ends all processes that it started, including those that left its process group.
 * Throws PEG_PROGRAM_NOT_FOUND, PEG_NO_SANDBOX when it can't be sandboxed as required, PEG_LIMIT when it exceeded a
 * limit, and PEG_COMMAND_FAILED when it can't be started for another reason. A program that fails or is stopped is a
 * result.
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
  // A sandboxed process can't leave its namespace, which ends with it.
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
  endAllAtExit();
  hideEnvironment();
  try {
    const { argv, verbatim } = spawnable(options.argv, {
      ...pathOf(options.environment),
      shell: options.environment['ComSpec'],
    });
    const [program = '', ...args] = argv;
    return spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.environment, [markerVariable]: marker },
      detached: leadsGroup(),
      stdio: childStdio([
        options.stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(confined?.descriptors ?? []),
      ]),
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
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
      later(settleMs, conclude); // A process that even the kernel can't kill now must not delay the caller.
    });
  };
  const exceed = (what: string): void => {
    if (tooMuch || done) return;
    tooMuch = overLimit(options, what);
    // Without a grace period, which a fork bomb would use.
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
    child[name]!.on('error', () => {}); // A broken pipe counts as ended. What it delivered is kept.
  }
  child.stdin?.on('error', () => {}); // The program closed it or ended without reading all input.
  child.stdin?.end(options.stdin);
  child.on('close', conclude);
  child.on('exit', () => {
    exited = true;
    // 'close' waits for every process with a pipe. One more turn of the event loop reads what arrived in the meantime.
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

/** The system reports a missing folder as a missing program, so the folder is checked first. */
async function checkFolder({ argv, cwd }: ProcessOptions): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new PegboardError(
    'PEG_COMMAND_FAILED',
    `The folder ${cwd}, in which ${argv[0]} should run, ${found ? 'is not a folder' : 'does not exist'}. Check "cwd".`,
  );
}

function overLimit({ argv }: ProcessOptions, what: string): PegboardError {
  const message = `${argv[0]} was stopped with all its processes: ${what}. Let it do less at a time.`;
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
        program.includes('/')
          ? `The program ${program} may not be executed. Make it executable: chmod +x ${program}`
          : // Also where PATH names a folder that this user may not read.
            `The program "${program}" is not installed, or may not be executed. Install it, or write its path in the command.`,
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
        `${program} could not be started: ${asSentence(messageOf(cause))}`,
        {
          cause,
          data: { program },
        },
      );
  }
}

let registered = false;

/** Separate process groups would survive the host, however it exits. */
function endAllAtExit(): void {
  if (registered) return;
  registered = true;
  atProcessExit(() => {
    for (const tree of running) {
      tree.signal('SIGKILL');
      tree.reap();
    }
  });
}
