import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject, ToolResult } from 'pegboard';
import { whenAborted } from 'pegboard/kit';
import { taskOutcome } from './call-result.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject, type Exchange } from '../protocol/exchange.ts';
import { supportOf, type TaskCall } from './promotion.ts';
import type { Work } from './round-call.ts';
import { invalidParams, RpcError, rpcCodes, toRpcError } from '../protocol/rpc-error.ts';
import { errorOf } from './task-methods.ts';
import { retentionMs, pollEveryMs, type Tasks } from './tasks.ts';
import type { AskedQuestion, ServedTask, TaskQuestion } from './served-task.ts';
import { createClientChannel } from '../client/client-channel.ts';

/** Milliseconds between two looks at a task on another host. */
const lookMs = 500;
const relatedKey = 'io.modelcontextprotocol/related-task';

/** Questions of a task, which the client gets when it fetches the result. */
interface Asking {
  /** Resolved whenever there is another question. */
  asked: PromiseWithResolvers<void>;
  readonly questions: Map<string, TaskQuestion>;
}
const askings = new WeakMap<ReadonlyMap<string, AskedQuestion>, Asking>();

/** `tools/call` with a `task`: answered at once, then runs on. Throws for a tool that doesn't support tasks. */
export async function beginLegacyTask(
  endpoint: Endpoint,
  call: TaskCall,
  exchange: Exchange,
  work: Work,
): Promise<JsonObject> {
  const { tasks, activity } = endpoint;
  const support = supportOf(endpoint, call.name);
  if (!tasks || (support !== 'optional' && support !== 'required'))
    throw new RpcError(rpcCodes.methodNotFound, `${call.name} does not run as a task.`);
  const controller = new AbortController();
  const questions = new Map<string, TaskQuestion>();
  const asking: Asking = { asked: Promise.withResolvers(), questions };
  askings.set(questions, asking);
  let count = 0;
  const later: Exchange = { ...exchange, signal: controller.signal, notify() {}, log() {} };
  const channel = createClientChannel(
    () => later,
    controller.signal,
    (method, params) => {
      const { promise, resolve } = Promise.withResolvers<JsonObject>();
      questions.set(`question ${++count}`, { method, params, resolve });
      asking.asked.resolve();
      return promise;
    },
  );
  const outcome = Promise.withResolvers<ToolResult>();
  const running = activity.track(work(channel, outcome.resolve));
  // A failure is reported in the result.
  running.catch(() => {});
  const task = await tasks
    .create({
      tool: call.name,
      args: call.args,
      starter: starterOf(exchange),
      work: outcome.promise,
      controller,
      questions,
    })
    .catch((cause: unknown) => {
      controller.abort(cause);
      throw toRpcError(cause);
    });
  return { task: toLegacyTask(task) };
}

const starterOf = ({ client, from }: Exchange): string =>
  `mcp:${client.name} ${from.session?.id ?? ''}`.trim();

const toLegacyTask = ({ id, status, statusMessage, createdAt, lastUpdatedAt }: ServedTask): JsonObject => ({
  taskId: id,
  status,
  ...(statusMessage !== undefined && { statusMessage }),
  createdAt,
  lastUpdatedAt,
  ttl: retentionMs,
  pollInterval: pollEveryMs,
});

type TaskMethod = (endpoint: Endpoint, params: JsonObject, exchange: Exchange) => Promise<JsonObject>;

/** Task methods of the 2025-11-25 protocol. */
export const legacyTaskMethods = {
  'tasks/get': async ({ tasks }, { taskId }) => toLegacyTask(await tasks!.find(taskId)),
  'tasks/list': async ({ tasks }, _params, exchange) => ({
    tasks: (await tasks!.list(starterOf(exchange))).map(toLegacyTask),
  }),
  'tasks/cancel': async ({ tasks }, { taskId }) => {
    const { ended, status } = await tasks!.find(taskId);
    if (status !== 'working' && status !== 'input_required')
      throw invalidParams(`The task has ended already: ${status}.`);
    await tasks!.cancel(taskId);
    await ended;
    return toLegacyTask(await tasks!.find(taskId));
  },
  'tasks/result': async ({ tasks }, { taskId }, exchange) => {
    const { questions, ended } = await tasks!.find(taskId);
    if (ended) await answered(questions, ended, String(taskId), exchange);
    else await answeredElsewhere(tasks!, String(taskId), exchange);
    const { id, result, status, statusMessage } = await tasks!.find(taskId);
    if (!result || status === 'failed') {
      const { code, message, data } = errorOf(result, statusMessage ?? `The task is ${status}.`);
      throw new RpcError(code as number, String(message), data);
    }
    const answer = taskOutcome(result, 'legacy');
    return { ...answer, _meta: { ...(answer['_meta'] as JsonObject), [relatedKey]: { taskId: id } } };
  },
} as const satisfies { readonly [method: string]: TaskMethod };

/** Resolves when the task has ended; until then passes the task's questions to the waiting client. */
async function answered(
  questions: ReadonlyMap<string, AskedQuestion>,
  ended: Promise<unknown>,
  taskId: string,
  exchange: Exchange,
): Promise<void> {
  const asking = askings.get(questions);
  if (!asking) return void (await ended);
  const gone = whenAborted(exchange.signal).then(() => 'gone' as const);
  for (;;) {
    for (const [name, { method, params, resolve }] of asking.questions) {
      asking.questions.delete(name);
      void askClient({ method, params }, taskId, exchange).then(
        resolve,
        () => void asking.questions.set(name, { method, params, resolve }),
      );
    }
    asking.asked = Promise.withResolvers();
    const first = await Promise.race([ended.then(() => 'ended' as const), asking.asked.promise, gone]);
    if (first === 'ended' || first === 'gone') return;
  }
}

/** The same for a task that runs on another host. */
async function answeredElsewhere(tasks: Tasks, taskId: string, exchange: Exchange): Promise<void> {
  const { signal } = exchange;
  const asked = new Set<string>();
  while (!signal.aborted) {
    const { status, questions } = await tasks.find(taskId);
    if (status !== 'working' && status !== 'input_required') return;
    for (const [name, question] of questions) {
      if (asked.has(name)) continue;
      asked.add(name);
      void askClient(question, taskId, exchange)
        .then((response) => tasks.answer(taskId, { [name]: response }))
        .catch(() => asked.delete(name));
    }
    await delay(lookMs, undefined, { signal }).catch(() => {});
  }
}

function askClient(
  { method, params }: AskedQuestion,
  taskId: string,
  exchange: Exchange,
): Promise<JsonObject> {
  const meta = { ...(isObject(params['_meta']) && params['_meta']), [relatedKey]: { taskId } };
  return exchange.request!(method, { ...params, _meta: meta }, exchange.signal);
}
