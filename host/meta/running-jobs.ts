import type { Logger } from '../api/log.ts';
import type { ToolResult } from '../api/result.ts';
import type { Progress } from '../api/tool.ts';
import { progressText } from '../core/text/progress-text.ts';
import type { JobStore, StoredJob } from '../store/jobs.ts';

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  progress: Progress | undefined;
}

export interface RunningJobsOptions {
  readonly store: Pick<JobStore, 'end' | 'cancelAsked'>;
  readonly log: Logger;
  /** Called when a job has ended by itself, successfully or not, and that is on disk. Must not throw. */
  readonly onEnd: (() => void) | undefined;
}

/** Distinguishes the end of the host from a cancellation. */
const stopping = new DOMException('Pegboard is stopping', 'AbortError');

/** Milliseconds between two looks whether another process asks to cancel one. */
const lookMs = 1_000;

/** The jobs that run in this process. Disposing interrupts them, and waits for them to end. */
export class RunningJobs implements AsyncDisposable {
  readonly #options: RunningJobsOptions;
  readonly #running = new Map<number, Running>();
  #isClosing = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: RunningJobsOptions) {
    this.#options = options;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Already aborted while the host is stopping. */
  createController(): AbortController {
    const controller = new AbortController();
    if (this.#isClosing) controller.abort(stopping);
    return controller;
  }

  /** Resolves when `work` has ended and that is recorded. `work` must not reject, and must end when `controller` aborts. */
  track(job: StoredJob, controller: AbortController, work: Promise<ToolResult>): Promise<void> {
    if (this.#isClosing) controller.abort(stopping);
    const ended = work.then((result) => this.#finish(job, result, controller.signal));
    this.#running.set(job.id, { controller, ended, progress: undefined });
    this.#looking ??= setInterval(() => void this.#look(), lookMs).unref();
    return ended;
  }

  progressOf(id: number): Progress | undefined {
    return this.#running.get(id)?.progress;
  }

  /** Steps without a message are ignored. */
  setProgress(id: number, step: Progress): void {
    const job = this.#running.get(id);
    if (job && progressText(step) !== '') job.progress = step;
  }

  /** Does not wait for the job to end. */
  abort(id: number): void {
    this.#running.get(id)?.controller.abort();
  }

  /** Resolves when it has ended. False when it doesn't run in this process. */
  async cancel(id: number): Promise<boolean> {
    const job = this.#running.get(id);
    job?.controller.abort();
    await job?.ended;
    return job !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#looking);
    for (const { controller } of this.#running.values()) controller.abort(stopping);
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Aborts those that another process asks to cancel. */
  async #look(): Promise<void> {
    const { store, log } = this.#options;
    try {
      for (const id of await store.cancelAsked([...this.#running.keys()])) this.abort(id);
    } catch (cause) {
      log.debug('whether background jobs are to be cancelled is not known', { cause });
    }
  }

  async #finish(job: StoredJob, result: ToolResult, { aborted, reason }: AbortSignal): Promise<void> {
    const { store, log, onEnd } = this.#options;
    try {
      if (reason === stopping) await store.end(job.id, 'interrupted');
      else if (aborted) await store.end(job.id, 'cancelled', result);
      else {
        await store.end(job.id, result.error ? 'failed' : 'done', result);
        onEnd?.();
      }
    } catch (cause) {
      log.error('the end of a background job could not be recorded', { job: job.id, cause });
    } finally {
      this.#running.delete(job.id);
      if (this.#running.size === 0) {
        clearInterval(this.#looking);
        this.#looking = undefined;
      }
    }
  }
}
