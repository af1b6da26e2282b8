import { parseJson } from 'pegboard';
import { messageOf } from 'pegboard/kit';
import type { ScriptLimits } from './limits.ts';
import type {
  GivenAnswer,
  GuestEnd,
  Program,
  SavedVm,
  ScriptRequest,
  SentStep,
  ThrownError,
  ToThread,
} from './messages.ts';
import type { ThreadPool } from './thread-pool.ts';

/** A thread that holds more is ended, since nothing in it would make its collector run. */
const maxHeldBytes = 32 * 2 ** 20;

/** What a script may do: everything that it has beyond the language. */
export interface ScriptHost {
  /** The JSON of an Answer. Must not reject. `signal` aborts when the script has failed or was cancelled. */
  answer(request: ScriptRequest, signal: AbortSignal): Promise<string>;
  /** Called each time when the script has come to wait for answers. */
  onWait?(script: WaitingScript): void;
}

/** A script that waits for answers. */
export interface WaitingScript {
  /** What it needs to go on elsewhere, as it is now. Undefined: it runs, or has ended. */
  save(): Promise<SavedScript | undefined>;
}

/** A script as it waited. */
export interface SavedScript {
  readonly vm: SavedVm;
  /** Requests without an answer, in the order in which they were made. */
  readonly open: readonly ScriptRequest[];
  readonly log: readonly string[];
}

/** The value that a request resolves to, or what its ToolError says. JSON. */
export type Answer = { readonly value: unknown } | { readonly error: AnswerError };

interface AnswerError {
  readonly code: string;
  readonly message: string;
  readonly stage?: string;
  readonly data?: unknown;
}

/** How a script ended. */
export type ScriptEnd = { readonly log: readonly string[]; readonly cpuMs: number } & Outcome;

type Outcome =
  /** `unawaited`: requests without an answer when it returned, which have ended since or were not begun. */
  | {
      readonly kind: 'returned';
      readonly value: unknown;
      readonly unawaited: readonly ScriptRequest[];
      readonly unhandled: readonly ThrownError[];
    }
  | { readonly kind: 'threw'; readonly error: ThrownError }
  | { readonly kind: 'exceeded'; readonly limit: 'cpu' | 'memory' }
  /** It waits for a promise that nothing will resolve. */
  | { readonly kind: 'stuck' }
  /** Its thread ended. */
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'cancelled' };

/**
 * Runs a program in TypeScript in a VM of a thread, or goes on with a saved one. Resolves when the script has ended,
 * and every call that it made too. The host isn't blocked by anything that it does.
 */
export async function runScript(
  given: Program | SavedScript,
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
  const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
  const stop = new AbortController();
  const isSaved = 'vm' in given;
  const log: string[] = isSaved ? [...given.log] : [];
  let cpuMs = isSaved ? given.vm.usedMs : 0;
  let saving: PromiseWithResolvers<SavedVm | undefined> | undefined;
  let isOver = false;
  let heldBytes = 0;
  let watchdog: NodeJS.Timeout | undefined;
  /** Messages that the thread hasn't answered yet, as the requests that they answer. */
  const unanswered: (readonly ScriptRequest[])[] = [];
  const end = (outcome: Outcome): void => {
    isOver = true;
    resolve(outcome);
  };

  /** The VM stops itself at its limit, but not inside of a long built-in: then its thread is ended. */
  const send = (message: ToThread, answered: readonly ScriptRequest[] = []): void => {
    unanswered.push(answered);
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end({ kind: 'exceeded', limit: 'cpu' }), 2 * (cpuLimitMs - cpuMs) + 500);
    worker.postMessage(message, []);
  };
  const requests = createRequests(host, limits.parallelCalls, stop.signal, (answers, answered) =>
    send({ answers }, answered),
  );
  const save = async (): Promise<SavedScript | undefined> => {
    if (unanswered.length > 0 || saving || isOver) return undefined;
    const now = { open: requests.unanswered, log: [...log] };
    saving = Promise.withResolvers();
    worker.postMessage({ save: true } satisfies ToThread, []);
    const vm = await saving.promise;
    saving = undefined;
    return vm && { vm, ...now };
  };
  const onMessage = (message: SentStep | SavedVm): void => {
    if ('memory' in message) saving!.resolve(message);
    else onStep(message);
  };
  const onStep = (step: SentStep): void => {
    unanswered.shift();
    const isWaiting = unanswered.length === 0;
    if (isWaiting) clearTimeout(watchdog);
    cpuMs = step.usedMs;
    heldBytes = step.heldBytes;
    log.push(...step.log);
    for (const request of step.requests) requests.add(request);
    if (step.end) end(toOutcome(step.end, [...unanswered.flat(), ...requests.unanswered]));
    else if (isWaiting && requests.open === 0) end({ kind: 'stuck' });
    else if (isWaiting) host.onWait?.({ save });
  };
  const onError = (cause: Error & { readonly code?: string }): void => {
    if (cause.code === 'ERR_WORKER_OUT_OF_MEMORY') end({ kind: 'exceeded', limit: 'memory' });
    else end({ kind: 'crashed', reason: messageOf(cause) });
  };
  const onExit = (): void => end({ kind: 'crashed', reason: 'its thread ended' });
  const onAbort = (): void => end({ kind: 'cancelled' });
  worker.on('message', onMessage);
  worker.on('error', onError);
  worker.on('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  const memory = limits.memory * 2 ** 20;
  const vmLimits = { cpuMs: cpuLimitMs, memory, calls: limits.calls };
  send(isSaved ? { saved: given.vm, open: given.open, limits: vmLimits } : { ...given, limits: vmLimits });

  const outcome = await ended;
  saving?.resolve(undefined);
  clearTimeout(watchdog);
  signal.removeEventListener('abort', onAbort);
  worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  const isIdle = (outcome.kind === 'returned' || outcome.kind === 'threw') && unanswered.length === 0;
  const isKept = isIdle && heldBytes < maxHeldBytes;
  if (isKept) threads.giveBack(worker);
  if (outcome.kind !== 'returned') stop.abort();
  // The next script must not begin while the memory of this one is still held.
  await Promise.all([isKept || threads.end(worker), requests.end()]);
  return { ...outcome, log, cpuMs };
}

interface Requests {
  /** Requests without an answer, and answers that the thread hasn't got. */
  readonly open: number;
  /** Requests whose answers the thread hasn't got, in their order. */
  readonly unanswered: readonly ScriptRequest[];
  add(request: ScriptRequest): void;
  /** Gives and starts nothing more. Resolves when none runs. */
  end(): Promise<void>;
}

/** Answers requests, a few at a time in their order. Answers that come at once are given at once. */
function createRequests(
  host: ScriptHost,
  limit: number,
  signal: AbortSignal,
  give: (answers: readonly GivenAnswer[], answered: readonly ScriptRequest[]) => void,
): Requests {
  const waiting: ScriptRequest[] = [];
  const running = new Set<Promise<void>>();
  const unanswered = new Map<number, ScriptRequest>();
  let ready: GivenAnswer[] = [];
  let isOver = false;
  const giveReady = (): void => {
    const answers = ready;
    ready = [];
    if (isOver) return;
    const answered = answers.map(([id]) => unanswered.get(id)!);
    for (const { id } of answered) unanswered.delete(id);
    give(answers, answered);
  };
  const answer = async (request: ScriptRequest): Promise<void> => {
    const json = await host.answer(request, signal);
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
    get unanswered() {
      return [...unanswered.values()];
    },
    add(request) {
      unanswered.set(request.id, request);
      waiting.push(request);
      startNext();
    },
    async end() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

function toOutcome(end: GuestEnd, unawaited: readonly ScriptRequest[]): Outcome {
  if (end.kind !== 'returned') return end;
  const value: unknown = end.json === undefined ? undefined : parseJson(end.json);
  return { kind: 'returned', value, unawaited, unhandled: end.unhandled };
}
