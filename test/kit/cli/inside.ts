import { EventEmitter } from 'node:events';
import { homedir } from 'node:os';
import { PassThrough, Writable, type Readable } from 'node:stream';
import type { CliSurroundings } from '../../../host/cli/surroundings.ts';
import type { Clock } from '../../../host/api/surroundings.ts';
import { systemClock } from '../../../host/core/async/clock.ts';
import { version } from '../../../host/version.ts';
import type { RunningChild } from './follow.ts';
import { LineDiscipline } from './line-discipline.ts';
import { fileOutput, pipeOutput, terminalOutput, type Size } from './output.ts';

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** stdin, stdout and stderr are a terminal of this size. */
  readonly terminal?: Size;
  /** The file that gets stderr. */
  readonly stderr?: string | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** `pegboard` in the process of the test: what a child process has, except that nobody can kill it. */
export const startInside = (args: readonly string[], place: Place): RunningChild =>
  new CommandInside(args, place) as RunningChild;

class CommandInside extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  exitCode: number | null = null;
  readonly signalCode = null;
  readonly #signals = new EventEmitter().setMaxListeners(0);
  readonly #surroundings: CliSurroundings;

  constructor(args: readonly string[], { cwd, env, terminal, stderr, clock = systemClock }: Place) {
    super();
    const input = terminal
      ? new LineDiscipline({ echo: this.stdout, interrupt: () => this.kill('SIGINT') })
      : new PassThrough();
    const out = terminal ? terminalOutput(this.stdout, terminal, env) : pipeOutput(this.stdout);
    const err = terminal ? out : pipeOutput(this.stderr);
    this.#surroundings = {
      stdin: input as Readable as NodeJS.ReadStream,
      stdout: out,
      stderr: stderr === undefined ? err : fileOutput(stderr),
      // A process has no variable without a value.
      env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
      cwd: () => cwd,
      userHome: env['HOME'] || homedir(),
      clock,
      signals: this.#signals,
      exit: (code) => {
        this.#end(code);
        throw new Exit(`\`pegboard ${args.join(' ')}\` has ended its process with ${code}`);
      },
    };
    this.stdin = input instanceof LineDiscipline ? keysFor(input) : input;
    setImmediate(() => void this.#run(args));
  }

  get pid(): never {
    throw new Error('A command in the process of the test has no process id: run it apart.');
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (['SIGKILL', 'SIGSTOP', 'SIGCONT'].includes(signal))
      throw new Error(`A command in the process of the test takes no ${signal}: run it apart.`);
    if (this.exitCode !== null) return false;
    try {
      return this.#signals.emit(signal);
    } catch (cause) {
      if (cause instanceof Exit) return true;
      throw cause;
    }
  }

  async #run(args: readonly string[]): Promise<void> {
    if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
      this.#surroundings.stdout.write(`${version}\n`);
      return this.#end(0);
    }
    const { runCli } = await import('../../../host/cli/run.ts');
    try {
      this.#end(await runCli(args, this.#surroundings));
    } catch (cause) {
      if (!(cause instanceof Exit)) throw cause;
    }
  }

  #end(code: number): void {
    if (this.exitCode !== null) return;
    this.exitCode = code;
    this.#signals.emit('exit');
    this.stdout.end();
    this.stderr.end();
    setImmediate(() => {
      this.emit('exit', code, null);
      this.emit('close', code, null);
    });
  }
}

/** What a person types at the terminal. */
const keysFor = (input: LineDiscipline): Writable =>
  new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      input.type(String(chunk));
      done();
    },
    final(done) {
      input.hangUp();
      done();
    },
  });

/** Thrown where a process would be gone. From a timer it reaches the test: the command has not ended when it was asked to. */
class Exit extends Error {}
