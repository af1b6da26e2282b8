import type { Chat } from '../api/channel.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { ToolResult } from '../api/result.ts';
import type { ClientTasks } from '../api/mcp/tasks.ts';
import type { Progress, ToolCall } from '../api/tool.ts';
import { untilAborted } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import { nobody } from '../dispatch/call.ts';
import type { JobStore, StoredJob } from '../store/jobs.ts';
import { createEarlyAsk } from './early-ask.ts';

export interface JobsOptions {
  readonly dispatch: Dispatch;
  readonly store: JobStore;
  readonly log: Logger;
  /** Where the end of a job that this call starts is announced; default: nowhere. */
  readonly chatOf?: (call: ToolCall) => Chat | undefined;
  /** After a job has ended by itself, well or not, and that is on disk. Must not throw. */
  readonly onEnd?: () => void;
  /** The arguments as they are written down: without secrets. Default: as they are. */
  readonly toRecord?: (tool: string, args: unknown) => unknown;
  /** The process ends with the command that it was started for, and what runs in the background with it. */
  readonly oneShot?: boolean;
  /** At once, in this process. Default 8. */
  readonly limit?: number;
}

/** Tool calls that outlive the turn that started them, but not the host: closing it interrupts and awaits them. */
export interface Jobs extends ClientTasks, AsyncDisposable {
  find(id: number): Promise<StoredJob | undefined>;
  /**
   * Resolves once the call has got going: a question at its beginning goes to whoever started it, for all later ones
   * nobody is there. Throws PEG_LIMIT when too many run.
   */
  start(call: ToolCall, tool: string, args: unknown): Promise<StoredJob>;
  /** Undefined when there is no such job, or it is somebody else's. */
  findFor(call: ToolCall, id: number): Promise<StoredJob | undefined>;
  list(call: ToolCall): Promise<readonly StoredJob[]>;
  /** Resolves when it has stopped. False when it doesn't run in this process. */
  cancel(id: number): Promise<boolean>;
  /** They end with the command that this process was started for. */
  readonly oneShot: boolean;
  /** What it said last of its progress, with who wrote it. */
  progressOf(id: number): Progress | undefined;
}

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  progress: Progress | undefined;
}

/** Of clients: they don't take the places of the owner's jobs. */
const maxAdopted = 64;

/** Tells the host's end from a person's. */
const stopping = new DOMException('Pegboard is stopping', 'AbortError');

export function createJobs(options: JobsOptions): Jobs {
  const { dispatch, store, log, chatOf, onEnd, toRecord = (_tool, args) => args, limit = 8 } = options;
  const running = new Map<number, Running>();
  /** Counts those too that are just being written down. */
  let count = 0;
  let adopted = 0;
  let isClosing = false;

  const launch = (job: StoredJob, call: ToolCall): { readonly started: Promise<unknown> } => {
    const controller = new AbortController();
    if (isClosing) controller.abort(stopping);
    const early = call.ask === nobody ? undefined : createEarlyAsk(call.ask);
    const result = dispatch({
      name: job.tool,
      args: job.args,
      scope: call.scope,
      caller: call.caller,
      parent: call,
      signal: controller.signal,
      ...(early && { ask: early.ask }),
      onProgress(step) {
        const own = running.get(job.id);
        if (own && step.message !== undefined) own.progress = step;
      },
    });
    const ended = result.then((value) => finish(job, value, controller.signal)).finally(() => count--);
    running.set(job.id, { controller, ended, progress: undefined });
    return { started: Promise.race([ended, early?.over]) };
  };

  const finish = async (
    job: StoredJob,
    result: ToolResult,
    { aborted, reason }: AbortSignal,
  ): Promise<void> => {
    try {
      if (reason === stopping) await store.end(job.id, 'interrupted');
      else if (aborted) await store.end(job.id, 'cancelled', result);
      else {
        await store.end(job.id, result.error ? 'failed' : 'done', result);
        onEnd?.();
      }
    } catch (cause) {
      log.error('a background job ended, and that could not be recorded', { job: job.id, cause });
    } finally {
      running.delete(job.id);
    }
  };

  return {
    oneShot: options.oneShot === true,
    async start(call, tool, args) {
      if (isClosing)
        throw new PegboardError('PEG_CANCELLED', 'Pegboard is stopping: nothing is started any more.');
      if (count >= limit) {
        throw new PegboardError(
          'PEG_LIMIT',
          `${limit} jobs run in the background already. Wait until one of them is done, or cancel one.`,
        );
      }
      count++;
      const job = await store
        .add({
          tool,
          args: toRecord(tool, args),
          starter: starterOf(call),
          conversation: call.turn?.conversation.id,
          chat: chatOf?.(call),
        })
        .catch((cause: unknown) => {
          count--;
          throw cause;
        });
      const { started } = launch({ ...job, args }, call);
      try {
        await untilAborted(started, call.signal);
      } catch (cause) {
        // Whoever started it left before it got going.
        running.get(job.id)?.controller.abort();
        throw cause;
      }
      return (await store.find(job.id)) ?? job;
    },
    find: (id) => store.find(id),
    async adopt({ tool, args, starter, work, controller }) {
      if (adopted >= maxAdopted)
        throw new PegboardError(
          'PEG_LIMIT',
          `${maxAdopted} tasks of clients run already. Wait until one is done.`,
        );
      adopted++;
      try {
        const job = await store.add({ tool, args: toRecord(tool, args), starter });
        if (isClosing) controller.abort(stopping);
        const ended = work.then((value) => finish(job, value, controller.signal));
        running.set(job.id, { controller, ended, progress: undefined });
        void ended.finally(() => adopted--);
        return job;
      } catch (cause) {
        adopted--;
        throw cause;
      }
    },
    async findFor(call, id) {
      const job = await store.find(id);
      return job && maySee(call, job) ? job : undefined;
    },
    list: async (call) => await store.list(call.scope.identity === 'host' ? undefined : starterOf(call)),
    async cancel(id) {
      const job = running.get(id);
      job?.controller.abort();
      await job?.ended;
      return job !== undefined;
    },
    progressOf: (id) => running.get(id)?.progress,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      for (const { controller } of running.values()) controller.abort(stopping);
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

const starterOf = ({ scope, caller }: ToolCall): string => scope.agent ?? caller;

/** The owner sees all jobs, an agent or a client its own. */
function maySee(call: ToolCall, job: StoredJob): boolean {
  return call.scope.identity === 'host' || job.starter === starterOf(call);
}
