import { setTimeout as delay } from 'node:timers/promises';
import type { Chat } from '../api/channels/channel.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { ClientTasks } from '../api/mcp/tasks.ts';
import type { Progress, ToolCall } from '../api/tool.ts';
import { untilAborted } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import type { JobStore, StoredJob } from '../store/jobs.ts';
import { createJobQuestions } from './job-questions.ts';
import { RunningJobs } from './running-jobs.ts';
import { asSentence } from '../core/text/as-sentence.ts';

export interface JobsOptions {
  readonly dispatch: Dispatch;
  readonly store: JobStore;
  readonly log: Logger;
  /** Where the end of a job that this call starts is announced; default: nowhere. */
  readonly chatOf?: (call: ToolCall) => Chat | undefined;
  /** Called when a job has ended by itself, successfully or not, and that is on disk. Must not throw. */
  readonly onEnd?: () => void;
  /** Removes secrets from arguments before they are stored. Default: unchanged. */
  readonly toRecord?: (tool: string, args: unknown) => unknown;
  /** The process ends with its command, and background jobs with it. */
  readonly oneShot?: boolean;
  /** Maximum number of jobs running in this process. Default 8. */
  readonly limit?: number;
}

/** Tool calls that outlive the turn that started them, but not the host: closing it interrupts and awaits them. */
export interface Jobs extends ClientTasks, AsyncDisposable {
  find(id: number): Promise<StoredJob | undefined>;
  /**
   * Resolves once the call is under way: questions at its start go to `call.ask`, later ones are declined. Throws
   * PEG_LIMIT when too many run.
   */
  start(call: ToolCall, tool: string, args: unknown): Promise<StoredJob>;
  /** Undefined when there is no such job, or it belongs to another caller. */
  findFor(call: ToolCall, id: number): Promise<StoredJob | undefined>;
  list(call: ToolCall): Promise<readonly StoredJob[]>;
  /** Resolves when it has stopped, in whatever process. False: its process has not stopped it within 20 seconds. */
  cancel(id: number): Promise<boolean>;
  /** Jobs end with the command of this process. */
  readonly oneShot: boolean;
  /** The latest progress, with its origins. */
  progressOf(id: number): Progress | undefined;
}

/** Tasks of clients. They don't count against the limit of the owner's jobs. */
const maxAdopted = 64;
/** Milliseconds to wait for another process to stop a job. */
const cancelMs = 20_000;

export function createJobs(options: JobsOptions): Jobs {
  const { dispatch, store, log, chatOf, onEnd, toRecord = (_tool, args) => args, limit = 8 } = options;
  const running = new RunningJobs({ store, log, onEnd });
  /** Includes those that are being stored. */
  let count = 0;
  let adopted = 0;

  const addJob = (call: ToolCall, tool: string, args: unknown): Promise<StoredJob> =>
    store.add({
      tool,
      args: toRecord(tool, args),
      starter: starterOf(call),
      conversation: call.turn?.conversation.id,
      chat: chatOf?.(call),
    });

  const launch = (job: StoredJob, call: ToolCall): { readonly started: Promise<unknown> } => {
    const controller = running.createController();
    const early = call.isAttended ? createJobQuestions(call.ask) : undefined;
    const result = dispatch({
      name: job.tool,
      args: job.args,
      scope: call.scope,
      caller: call.caller,
      parent: call,
      signal: controller.signal,
      ...(early && { ask: early.ask }),
      onProgress: (step) => running.setProgress(job.id, step),
    });
    const ended = running.track(job, controller, result).finally(() => count--);
    return { started: Promise.race([ended, early?.closed]) };
  };

  const cancelElsewhere = async (id: number): Promise<boolean> => {
    await store.askToCancel(id);
    const until = performance.now() + cancelMs;
    while ((await store.find(id))?.state === 'running') {
      if (performance.now() > until) return false;
      await delay(250);
    }
    return true;
  };

  return {
    oneShot: options.oneShot === true,
    async start(call, tool, args) {
      if (running.isClosing)
        throw new PegboardError('PEG_CANCELLED', 'Pegboard is stopping: no more jobs are started.');
      if (count >= limit) throw tooMany(`${limit} jobs are already running in the background`);
      count++;
      const job = await addJob(call, tool, args).catch((cause: unknown) => {
        count--;
        throw cause;
      });
      const { started } = launch({ ...job, args }, call);
      try {
        await untilAborted(started, call.signal);
      } catch (cause) {
        // The call was cancelled before the job got going.
        running.abort(job.id);
        throw cause;
      }
      return (await store.find(job.id)) ?? job;
    },
    find: (id) => store.find(id),
    async adopt({ tool, args, starter, work, controller }) {
      if (adopted >= maxAdopted) throw tooMany(`${maxAdopted} tasks of clients are already running`);
      adopted++;
      try {
        const job = await store.add({ tool, args: toRecord(tool, args), starter });
        void running.track(job, controller, work).finally(() => adopted--);
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
    cancel: async (id) => (await running.cancel(id)) || (await cancelElsewhere(id)),
    progressOf: (id) => running.progressOf(id),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const tooMany = (reason: string): PegboardError =>
  new PegboardError('PEG_LIMIT', `${asSentence(reason)} Wait until one is done, or cancel one.`);

const starterOf = ({ scope, caller }: ToolCall): string => scope.agent ?? caller;

/** The owner sees all jobs, an agent or client its own. */
function maySee(call: ToolCall, job: StoredJob): boolean {
  return call.scope.identity === 'host' || job.starter === starterOf(call);
}
