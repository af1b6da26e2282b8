import { PegboardError, toJson, type Scripts, type ToolCall } from 'pegboard';
import type { ScriptServices } from './script-calls.ts';
import { createScriptSlots } from './script-slots.ts';
import type { ScriptLimits } from './sandbox/limits.ts';
import type { ScriptHost } from './sandbox/run-script.ts';
import type { ThreadPool } from './sandbox/thread-pool.ts';

export interface ScriptRunner extends Scripts, AsyncDisposable {
  /** Whether a script made the call, directly or indirectly. */
  isWithinScript(call: ToolCall): boolean;
}

/** Characters. */
const maxProgramLength = 200_000;

/** Loads the sandbox with the first script. */
export function createScriptRunner(services: ScriptServices, limitsNow: () => ScriptLimits): ScriptRunner {
  const slots = createScriptSlots();
  const readers = new WeakSet<ToolCall>();
  const declinedIn = createDeclinedCalls();
  let threads: Promise<ThreadPool> | undefined;
  const openThreads = async (): Promise<ThreadPool> =>
    (await import('./sandbox/thread-pool.ts')).createThreadPool();

  return {
    async run(program, call, { readOnly = isWithin(call, readers), args } = {}) {
      if (program.length > maxProgramLength)
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          `A script has at most ${maxProgramLength} characters.`,
        );
      const limits = limitsNow();
      using slot = await slots.take(call, limits.concurrency);
      if (readOnly) readers.add(call);
      const { signal, checkpoint } = call;
      const { createScriptCalls, runScript, toScriptResult, createScriptKeeper, loadState, sandboxVersion } =
        await load();
      const earlier = checkpoint && (await loadState(checkpoint));
      const keeper =
        checkpoint &&
        createScriptKeeper({
          checkpoint,
          isSaved: earlier !== undefined,
          version: sandboxVersion,
          callsWithout: (open) => calls.without(open),
          holdsSecret: services.holdsSecret,
          signal,
        });
      const pausedFor = <T>(work: () => Promise<T>): Promise<T> =>
        slot.pausedFor(() => (keeper ? keeper.asking(work) : work()));
      const calls = createScriptCalls(call, {
        ...services,
        readOnly,
        pausedFor,
        beforeEffect: keeper && ((request) => keeper.beforeEffect(request)),
        declined: declinedIn(call),
        earlier: earlier?.calls,
      });
      const pool = await (threads ??= openThreads());
      const given = earlier?.script ?? { program, ...(args && { args: toJson(args) }) };
      const host: ScriptHost = {
        answer: (request, stopped) => calls.answer(request, stopped),
        onWait: (script) => keeper?.onWait(script),
      };
      const end = await runScript(given, host, { threads: pool, limits, signal });
      return toScriptResult(end, calls, { call, limits });
    },
    pausedVersion: async () => await (await load()).sandboxVersion(),
    isWithinScript: (call) => slots.depthOf(call) > 0,
    async [Symbol.asyncDispose]() {
      await (await threads)?.[Symbol.asyncDispose]();
    },
  };
}

/** What was declined in a turn, or outside of turns by a call and those that it made. */
function createDeclinedCalls(): (call: ToolCall) => Set<string> {
  const known = new WeakMap<object, Set<string>>();
  return (call) => {
    let outermost = call;
    while (outermost.parent) outermost = outermost.parent;
    const owner = call.turn ?? outermost;
    const declined = known.get(owner) ?? new Set();
    known.set(owner, declined);
    return declined;
  };
}

const load = async () => {
  const [
    { createScriptCalls },
    { toScriptResult },
    { runScript },
    { createScriptKeeper, loadState },
    { sandboxVersion },
  ] = await Promise.all([
    import('./script-calls.ts'),
    import('./script-result.ts'),
    import('./sandbox/run-script.ts'),
    import('./script-keeper.ts'),
    import('./sandbox/version.ts'),
  ]);
  return { createScriptCalls, toScriptResult, runScript, createScriptKeeper, loadState, sandboxVersion };
};

function isWithin(call: ToolCall, some: WeakSet<ToolCall>): boolean {
  for (let outer = call.parent; outer; outer = outer.parent) if (some.has(outer)) return true;
  return false;
}
