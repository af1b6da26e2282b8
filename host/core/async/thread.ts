import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Megabytes of JavaScript objects. */
  readonly memory: number;
  /** Transferred instead of copied, so the caller can't use them any more. */
  readonly transfer?: readonly ArrayBuffer[];
}

/**
 * Runs a module in a thread that ends with its answer, the first message that it posts. Its memory is freed, and data
 * that was crafted to take forever only blocks that thread. The module gets `data` as `workerData`; its output is
 * dropped. Throws the signal's reason, or an Error with a clause that says what happened to the thread.
 */
export async function runThread<T>(module: URL, data: unknown, options: ThreadOptions): Promise<T> {
  const { signal, timeoutMs, memory, transfer = [] } = options;
  signal.throwIfAborted();
  const worker = new Worker(module, {
    workerData: data,
    transferList: [...transfer],
    resourceLimits: { maxOldGenerationSizeMb: memory },
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${timeoutMs / 1000} s`)), timeoutMs);
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (cause: NodeJS.ErrnoException) =>
    reject(
      cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new Error(`it takes more than ${memory} MB of memory`, { cause })
        : cause,
    ),
  );
  worker.once('exit', () => reject(new Error('its thread ended')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    void worker.terminate();
  }
}
