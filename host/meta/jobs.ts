import type { TurnContext } from '../api/conversation.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { ToolResult } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { untilAborted } from '../core/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import { nobody } from '../dispatch/call.ts';
import type { JobStore, StoredJob } from '../store/jobs.ts';
import { createEarlyAsk } from './early-ask.ts';

export interface JobsOptions {
  readonly dispatch: Dispatch;
  readonly store: JobStore;
  readonly log: Logger;
  /**
   * Hears of every job that ended by itself, well or not; `turn` is the one that started it, long over by now.
   * A throw is logged.
   */
  readonly onFinished?: (job: StoredJob, turn: TurnContext | undefined) => void | Promise<void>;
  /** The arguments as they are written down: without secrets. Default: as they are. */
  readonly toRecord?: (tool: string, args: unknown) => unknown;
  /** At once, in this process. Default 8. */
  readonly most?: number;
}

/** Tool calls that outlive the turn that started them, but not the host: closing it cancels and awaits them. */
export interface Jobs extends AsyncDisposable {
  /**
   * Resolves once the call has got going: a question at its beginning goes to whoever started it, for all later ones
   * nobody is there. Throws PEG_LIMIT when too many run.
   */
  start(call: ToolCall, tool: string, args: unknown): Promise<StoredJob>;
  /** Undefined when there is no such job, or it is somebody else's. */
  find(call: ToolCall, id: number): Promise<StoredJob | undefined>;
  list(call: ToolCall): Promise<readonly StoredJob[]>;
  /** Resolves when it has stopped. False when it doesn't run in this process. */
  cancel(id: number): Promise<boolean>;
  /** What it said last of its progress. */
  progressOf(id: number): string | undefined;
}

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  progress: string | undefined;
}

export function createJobs(options: JobsOptions): Jobs {
  const { dispatch, store, log, onFinished, toRecord = (_tool, args) => args, most = 8 } = options;
  const running = new Map<number, Running>();
  /** Counts those too that are just being written down. */
  let count = 0;
  let isClosing = false;

  const launch = (job: StoredJob, call: ToolCall): { readonly started: Promise<unknown> } => {
    const controller = new AbortController();
    if (isClosing) controller.abort();
    const early = call.ask === nobody ? undefined : createEarlyAsk(call.ask);
    const result = dispatch({
      name: job.tool,
      args: job.args,
      scope: call.scope,
      caller: call.caller,
      parent: call,
      signal: controller.signal,
      ...(early && { ask: early.ask }),
      onProgress: ({ message }) => {
        const own = running.get(job.id);
        if (own && message !== undefined) own.progress = message;
      },
    });
    const ended = result.then((value) => finish(job, value, controller.signal.aborted, call.turn));
    running.set(job.id, { controller, ended, progress: undefined });
    return { started: Promise.race([ended, early?.over]) };
  };

  const finish = async (
    job: StoredJob,
    result: ToolResult,
    wasCancelled: boolean,
    turn: TurnContext | undefined,
  ): Promise<void> => {
    const state = wasCancelled ? 'cancelled' : result.error ? 'failed' : 'done';
    try {
      await store.end(job.id, state, result);
      if (!wasCancelled)
        await onFinished?.({ ...job, state, result, endedAt: new Date().toISOString() }, turn);
    } catch (cause) {
      log.error('a background job ended, and that could not be recorded or announced', {
        job: job.id,
        cause,
      });
    } finally {
      running.delete(job.id);
      count--;
    }
  };

  return {
    async start(call, tool, args) {
      if (isClosing)
        throw new PegboardError('PEG_CANCELLED', 'Pegboard is stopping: nothing is started any more.');
      if (count >= most) {
        throw new PegboardError(
          'PEG_LIMIT',
          `${most} jobs run in the background already. Wait until one of them is done, or cancel one.`,
        );
      }
      count++;
      const job = await store
        .add({
          tool,
          args: toRecord(tool, args),
          starter: starterOf(call),
          conversation: call.turn?.conversation.id,
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
    async find(call, id) {
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
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

const starterOf = ({ scope, caller }: ToolCall): string => scope.agent ?? caller;

/** The owner sees all jobs, an agent or a client its own. */
function maySee(call: ToolCall, job: StoredJob): boolean {
  return call.scope.identity === 'host' || job.starter === starterOf(call);
}
