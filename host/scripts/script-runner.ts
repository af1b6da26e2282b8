import type { ToolResult } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import type { ScriptServices } from './script-calls.ts';
import { createScriptSlots } from './script-slots.ts';
import type { ScriptLimits } from './sandbox/limits.ts';
import type { ThreadPool } from './sandbox/thread-pool.ts';

/** Runs scripts on the tools of a host. */
export interface ScriptRunner extends AsyncDisposable {
  /**
   * Runs a program, the body of an async function in TypeScript, for a call, whose rights, questions and cancellation it
   * has. Throws PEG_SCRIPT_FAILED, which says what the script had done; PEG_BUSY when too many others run.
   */
  run(program: string, call: ToolCall, options?: ScriptOptions): Promise<ToolResult>;
  /** Whether a script made the call, directly or indirectly. */
  isWithinScript(call: ToolCall): boolean;
}

export interface ScriptOptions {
  /** Tools that may change something are refused. Holds for scripts within the script too. */
  readonly readOnly?: boolean;
  /** The parameters of the program's own tool, as its global `args`. */
  readonly args?: object;
}

/** Characters. */
const maxProgramLength = 200_000;

/** Loads the sandbox with the first script. */
export function createScriptRunner(services: ScriptServices, limitsNow: () => ScriptLimits): ScriptRunner {
  const slots = createScriptSlots();
  const readers = new WeakSet<ToolCall>();
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
      const { createScriptCalls, runScript, toScriptResult } = await load();
      const pausedFor = slot.pausedFor.bind(slot);
      const calls = createScriptCalls(call, { ...services, readOnly, pausedFor });
      const pool = await (threads ??= openThreads());
      const { signal } = call;
      const given = { program, ...(args && { args: toJson(args) }) };
      const end = await runScript(given, calls, { threads: pool, limits, signal });
      return toScriptResult(end, calls, { call, limits });
    },
    isWithinScript: (call) => slots.depthOf(call) > 0,
    async [Symbol.asyncDispose]() {
      await (await threads)?.[Symbol.asyncDispose]();
    },
  };
}

const load = async () => {
  const [calls, results, running] = await Promise.all([
    import('./script-calls.ts'),
    import('./script-result.ts'),
    import('./sandbox/run-script.ts'),
  ]);
  return { ...calls, ...results, ...running };
};

function isWithin(call: ToolCall, some: WeakSet<ToolCall>): boolean {
  for (let outer = call.parent; outer; outer = outer.parent) if (some.has(outer)) return true;
  return false;
}
