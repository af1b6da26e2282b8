import type { JsonObject, ToolResult } from 'pegboard';
import type { TaskRecord } from 'pegboard/serving';
import { answerTo } from '../client/peer-answer.ts';
import { statusOf, type NewTask, type ServedTask } from './served-task.ts';

interface Live extends NewTask {
  readonly id: string;
  readonly record: TaskRecord;
  endedAt?: string;
  result?: ToolResult;
}

/** How many ended tasks keep their results in memory; others are read from disk. */
const maxRemembered = 100;

/** Tasks that this process began, by their jobs. */
export class LiveTasks {
  readonly #tasks = new Map<number, Live>();

  add(task: Live): ServedTask {
    this.#tasks.set(task.record.id, task);
    void this.#untilEnded(task);
    return toServed(task);
  }

  find(job: number): ServedTask | undefined {
    const task = this.#tasks.get(job);
    return task && toServed(task);
  }

  /** By the name of the client's session. */
  list(starter: string): readonly ServedTask[] {
    return [...this.#tasks.values()].filter((task) => task.starter === starter).map(toServed);
  }

  /** Each question is answered once. */
  answer(job: number, responses: JsonObject): void {
    const { questions } = this.#tasks.get(job) ?? {};
    for (const [name, { method, resolve }] of questions ?? []) {
      const response = answerTo(name, method, responses);
      if (!response) continue;
      questions!.delete(name);
      resolve(response);
    }
  }

  /** Resolves when it has ended. */
  async cancel(job: number): Promise<void> {
    const task = this.#tasks.get(job);
    if (!task) return;
    if (task.result === undefined) task.controller.abort(new Error('the client cancelled the task'));
    await task.work;
  }

  async #untilEnded(task: Live): Promise<void> {
    task.result = await task.work;
    task.endedAt = new Date().toISOString();
    task.questions.clear();
    const ended = [...this.#tasks].filter(([, { endedAt }]) => endedAt !== undefined);
    for (const [job] of ended.slice(0, Math.max(0, ended.length - maxRemembered))) this.#tasks.delete(job);
  }
}

function toServed({ id, record, questions, controller, result, endedAt, work }: Live): ServedTask {
  const isCancelled = controller.signal.aborted;
  const running = questions.size > 0 ? 'input_required' : 'working';
  return {
    id,
    status: isCancelled ? 'cancelled' : result ? statusOf(result) : running,
    createdAt: record.startedAt,
    lastUpdatedAt: endedAt ?? new Date().toISOString(),
    questions,
    ...(result && !isCancelled && { result }),
    ended: work,
  };
}
