import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { packageRoot } from 'pegboard/kit';
import { readEngine } from './version.ts';

/** Threads for scripts. The last one that became free is kept for the next script, until it has been idle for long. */
export interface ThreadPool extends AsyncDisposable {
  take(): Promise<Worker>;
  /** Only after a script that ended by itself. */
  giveBack(worker: Worker): void;
  /** Whatever it does at the moment. Resolves when its memory is free. */
  end(worker: Worker): Promise<void>;
}

/** In the built package this file may be anywhere, but the thread's file is at this path. */
const module = `plugins/builtin-scripts/sandbox/script-thread${extname(import.meta.filename)}`;
/** Megabytes of JavaScript objects, beside the memory of the VM: what crosses the border. */
const maxOldGenerationSizeMb = 64;
const maxIdleMs = 60_000;

/** Loads nothing before the first script. */
export function createThreadPool(): ThreadPool {
  let compiled: Promise<WebAssembly.Module> | undefined;
  let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined;
  const endIdle = async (): Promise<void> => {
    const ended = idle;
    idle = undefined;
    clearTimeout(ended?.timer);
    await ended?.worker.terminate();
  };
  return {
    async take() {
      if (!idle) return await startThread(await (compiled ??= compile()));
      const { worker, timer } = idle;
      idle = undefined;
      clearTimeout(timer);
      worker.ref();
      return worker;
    },
    giveBack(worker) {
      void endIdle();
      worker.unref();
      idle = { worker, timer: setTimeout(() => void endIdle(), maxIdleMs).unref() };
    },
    async end(worker) {
      // Why it ended is known already.
      worker.on('error', () => {});
      await worker.terminate();
    },
    [Symbol.asyncDispose]: endIdle,
  };
}

const compile = async (): Promise<WebAssembly.Module> => await WebAssembly.compile(await readEngine());

/** Without the environment, arguments and streams of this process. Throws an Error that says why it didn't start. */
async function startThread(wasm: WebAssembly.Module): Promise<Worker> {
  const worker = new Worker(pathToFileURL(join(packageRoot, module)), {
    workerData: wasm,
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.once('message', () => resolve());
  worker.once('error', reject);
  try {
    await promise;
  } finally {
    worker.off('error', reject);
  }
  return worker;
}
