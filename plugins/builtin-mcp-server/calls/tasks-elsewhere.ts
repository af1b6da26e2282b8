import type { JsonObject } from 'pegboard';
import { HostGone } from '../hosts/asked-hosts.ts';
import type { Correspondence } from '../hosts/correspondence.ts';
import type { LiveTasks } from './live-tasks.ts';
import type { AskedQuestion, ServedTask, TaskStatus } from './served-task.ts';

/** Where a task runs. */
export interface TaskAt {
  readonly job: number;
  /** The address of its server; absent: this one. */
  readonly elsewhere?: string;
}

type RunningTask = Pick<ServedTask, 'status' | 'lastUpdatedAt' | 'questions'>;

/** Tasks that run on other hosts. Each of these does nothing for a task whose host has ended. */
export interface TasksElsewhere extends Disposable {
  find(at: TaskAt): Promise<RunningTask | undefined>;
  list(starter: string): Promise<readonly ServedTask[]>;
  answer(at: TaskAt, responses: JsonObject): Promise<void>;
  /** Resolves when it has ended. */
  cancel(at: TaskAt): Promise<void>;
}

export function createTasksElsewhere(
  hosts: Correspondence,
  selection: string,
  here: LiveTasks,
): TasksElsewhere {
  const [about, aboutAll] = [`task ${selection}`, `tasks ${selection}`];
  const answering = new DisposableStack();
  answering.use(
    hosts.answer(about, async ({ job, responses, isCancelled }) => {
      if (isCancelled === true) await here.cancel(job as number);
      if (responses !== undefined) here.answer(job as number, responses as JsonObject);
      const task = here.find(job as number);
      return task ? { task: toWire(task) } : {};
    }),
  );
  answering.use(
    hosts.answer(aboutAll, async ({ starter }) => ({ tasks: here.list(String(starter)).map(toWire) })),
  );
  const ask = async ({ job, elsewhere }: TaskAt, more: JsonObject): Promise<JsonObject> => {
    if (elsewhere === undefined) return {};
    return await hosts.ask(elsewhere, about, { job, ...more }).catch((cause: unknown) => {
      if (cause instanceof HostGone) return {};
      throw cause;
    });
  };
  return {
    async find(at) {
      const { task } = await ask(at, {});
      return task === undefined ? undefined : running(fromWire(task as unknown as WireTask));
    },
    async list(starter) {
      const all = await hosts.askOthers(aboutAll, { starter });
      return all.flatMap(({ tasks }) => (tasks as readonly WireTask[]).map(fromWire));
    },
    answer: async (at, responses) => void (await ask(at, { responses })),
    cancel: async (at) => void (await ask(at, { isCancelled: true })),
    [Symbol.dispose]: () => answering.dispose(),
  };
}

/** The result is in the database by then, or will be in a moment. */
interface WireTask {
  readonly id: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly questions: readonly (readonly [string, AskedQuestion])[];
}

function toWire({ id, status, createdAt, lastUpdatedAt, questions }: ServedTask): JsonObject {
  const asked = [...questions].map(([name, { method, params }]) => [name, { method, params }]);
  return { id, status, createdAt, lastUpdatedAt, questions: asked };
}

const fromWire = ({ questions, ...task }: WireTask): ServedTask => ({
  ...task,
  questions: new Map(questions),
  ended: undefined,
});

/** As long as its result isn't there, it works. */
const running = ({ status, lastUpdatedAt, questions }: ServedTask): RunningTask => ({
  status: status === 'completed' || status === 'failed' ? 'working' : status,
  lastUpdatedAt,
  questions,
});
