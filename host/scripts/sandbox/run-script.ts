import { parseJson } from '../../core/documents/written-numbers.ts';
import { messageOf } from '../../core/errors.ts';
import type { ScriptLimits } from './limits.ts';
import type {
  GivenAnswer,
  GuestEnd,
  Program,
  ScriptRequest,
  Step,
  ThrownError,
  ToThread,
} from './messages.ts';
import type { ThreadPool } from './thread-pool.ts';

/** What a script may do: everything that it has beyond the language. */
export interface ScriptHost {
  /** Must not reject. `signal` aborts when the script has failed or was cancelled. */
  answer(request: ScriptRequest, signal: AbortSignal): Promise<Answer>;
}

/** The value that a request resolves to, or what its ToolError says. JSON. */
export type Answer = { readonly value: unknown } | { readonly error: AnswerError };

export interface AnswerError {
  readonly code: string;
  readonly message: string;
  readonly stage?: string;
  readonly data?: unknown;
}

/** How a script ended. */
export type ScriptEnd = { readonly log: readonly string[]; readonly cpuMs: number } & Outcome;

type Outcome =
  /** `unawaited`: calls that still ran when it returned; they have ended since. */
  | { readonly kind: 'returned'; readonly value: unknown; readonly unawaited: number }
  | { readonly kind: 'threw'; readonly error: ThrownError }
  | { readonly kind: 'exceeded'; readonly limit: 'cpu' | 'memory' }
  /** It waits for a promise that nothing will resolve. */
  | { readonly kind: 'stuck' }
  /** Its thread ended. */
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'cancelled' };

/**
 * Runs a program in TypeScript in a VM of a thread. Resolves when the script has ended,
 * and every call that it made too. The host isn't blocked by anything that it does.
 */
export async function runScript(
  { program, args }: Program,
  host: ScriptHost,
  {
    threads,
    limits,
    signal,
  }: { readonly threads: ThreadPool; readonly limits: ScriptLimits; readonly signal: AbortSignal },
): Promise<ScriptEnd> {
  if (signal.aborted) return { kind: 'cancelled', log: [], cpuMs: 0 };
  const cpuLimitMs = limits.cpu * 1000;
  const worker = await threads.take();
  const { promise: ended, resolve: end } = Promise.withResolvers<Outcome>();
  const stop = new AbortController();
  const log: string[] = [];
  let cpuMs = 0;
  let watchdog: NodeJS.Timeout | undefined;
  /** Messages that the thread hasn't answered yet. */
  let unanswered = 0;

  /** The VM stops itself at its limit, but not inside of a long built-in: then its thread is ended. */
  const send = (message: ToThread): void => {
    unanswered++;
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end({ kind: 'exceeded', limit: 'cpu' }), 2 * (cpuLimitMs - cpuMs) + 500);
    worker.postMessage(message, []);
  };
  const requests = createRequests(host, limits.parallelCalls, stop.signal, (answers) => send({ answers }));
  const onStep = (step: Step): void => {
    if (--unanswered === 0) clearTimeout(watchdog);
    cpuMs = step.usedMs;
    log.push(...step.log);
    for (const request of step.requests) requests.add(request);
    if (step.end) end(toOutcome(step.end, requests.open));
    else if (unanswered === 0 && requests.open === 0) end({ kind: 'stuck' });
  };
  const onError = (cause: Error & { readonly code?: string }): void => {
    if (cause.code === 'ERR_WORKER_OUT_OF_MEMORY') end({ kind: 'exceeded', limit: 'memory' });
    else end({ kind: 'crashed', reason: messageOf(cause) });
  };
  const onExit = (): void => end({ kind: 'crashed', reason: 'its thread ended' });
  const onAbort = (): void => end({ kind: 'cancelled' });
  worker.on('message', onStep);
  worker.on('error', onError);
  worker.on('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  const memory = limits.memory * 2 ** 20;
  send({
    program,
    ...(args !== undefined && { args }),
    limits: { cpuMs: cpuLimitMs, memory, calls: limits.calls },
  });

  const outcome = await ended;
  clearTimeout(watchdog);
  signal.removeEventListener('abort', onAbort);
  worker.off('message', onStep).off('error', onError).off('exit', onExit);
  if ((outcome.kind === 'returned' || outcome.kind === 'threw') && unanswered === 0) threads.giveBack(worker);
  else threads.end(worker);
  if (outcome.kind !== 'returned') stop.abort();
  await requests.end();
  return { ...outcome, log, cpuMs };
}

interface Requests {
  /** Requests without an answer, and answers that the thread hasn't got. */
  readonly open: number;
  add(request: ScriptRequest): void;
  /** Gives and starts nothing more. Resolves when none runs. */
  end(): Promise<void>;
}

/** Answers requests, a few at a time in their order. Answers that come at once are given at once. */
function createRequests(
  host: ScriptHost,
  limit: number,
  signal: AbortSignal,
  give: (answers: readonly GivenAnswer[]) => void,
): Requests {
  const waiting: ScriptRequest[] = [];
  const running = new Set<Promise<void>>();
  let ready: GivenAnswer[] = [];
  let isOver = false;
  const giveReady = (): void => {
    const answers = ready;
    ready = [];
    if (!isOver) give(answers);
  };
  const answer = async (request: ScriptRequest): Promise<void> => {
    const json = JSON.stringify(await host.answer(request, signal));
    if (ready.push([request.id, json]) === 1) queueMicrotask(giveReady);
  };
  const startNext = (): void => {
    while (running.size < limit) {
      const next = isOver ? undefined : waiting.shift();
      if (!next) return;
      const work = answer(next).finally(() => {
        running.delete(work);
        startNext();
      });
      running.add(work);
    }
  };
  return {
    get open() {
      return waiting.length + running.size + ready.length;
    },
    add(request) {
      waiting.push(request);
      startNext();
    },
    async end() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

function toOutcome(end: GuestEnd, unawaited: number): Outcome {
  if (end.kind !== 'returned') return end;
  const value: unknown = end.json === undefined ? undefined : parseJson(end.json);
  return { kind: 'returned', value, unawaited };
}
