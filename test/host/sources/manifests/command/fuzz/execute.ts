import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Execution {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}
export interface Executed {
  /** The bytes on stdout. */
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** Null when it could not be started, or a signal ended it. */
  readonly exitCode: number | null;
}

export interface Executor extends AsyncDisposable {
  /** Runs one program with exactly this argv. */
  execute(execution: Execution): Promise<Executed>;
  /** Processes `items` with enough concurrency to keep the processors busy; stops at the first failure. */
  forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void>;
}

const runners = 2;
const atOnce = 3;

export function openExecutor(): Executor {
  const waiting = new Map<number, (executed: Executed) => void>();
  const children = Array.from({ length: runners }, (): ChildProcess => {
    const child = fork(fileURLToPath(new URL('./runner.ts', import.meta.url)), {
      execPath: process.execPath,
      execArgv: [],
      serialization: 'advanced',
    });
    child.on('message', ({ id, executed }: { id: number; executed: Executed }) => {
      waiting.get(id)!(executed);
      waiting.delete(id);
    });
    return child;
  });
  let count = 0;
  const execute: Executor['execute'] = (execution) => {
    const { promise, resolve } = Promise.withResolvers<Executed>();
    const id = count++;
    waiting.set(id, resolve);
    children[id % runners]!.send({ id, execution });
    return promise;
  };
  return {
    execute,
    async forEach(items, work) {
      const shared = items.values();
      const failures: unknown[] = [];
      const worker = async (): Promise<void> => {
        for (const item of shared) {
          await work(item).catch((cause: unknown) => failures.push(cause));
          if (failures.length > 0) return;
        }
      };
      await Promise.all(Array.from({ length: runners * atOnce }, worker));
      if (failures.length > 0) throw failures[0];
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map((child) => {
          child.disconnect();
          return once(child, 'exit');
        }),
      );
    },
  };
}

/** The same script for another shell: `argv` is one that was rendered for bash. */
export function throughSh(argv: readonly string[]): readonly string[] {
  return ['sh', ...argv.slice(argv.indexOf('-c'))];
}
