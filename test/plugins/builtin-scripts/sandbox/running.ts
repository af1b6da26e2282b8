import { type ScriptLimits } from '../../../../plugins/builtin-scripts/sandbox/limits.ts';
import { defaultScriptLimits } from '../../../kit/script-limits.ts';
import {
  runScript,
  type Answer,
  type ScriptEnd,
} from '../../../../plugins/builtin-scripts/sandbox/run-script.ts';
import { createThreadPool } from '../../../../plugins/builtin-scripts/sandbox/thread-pool.ts';

/** Functions that scripts of the test call by name. */
export interface Functions {
  readonly [name: string]: (args: any, signal: AbortSignal) => unknown;
}

/** Runs scripts without a host, one after the other in the same thread. */
export function sandbox(functions: Functions = {}) {
  const threads = createThreadPool();
  const answer = async (name: string, args: unknown, signal: AbortSignal): Promise<Answer> => {
    try {
      return { value: await functions[name]!(args, signal) };
    } catch (cause) {
      return { error: { code: 'FAILED', message: (cause as Error).message } };
    }
  };
  return {
    run: (
      program: string,
      limits: Partial<ScriptLimits> = {},
      signal = new AbortController().signal,
    ): Promise<ScriptEnd> =>
      runScript(
        { program },
        {
          answer: async ({ name, args }, stopped) =>
            JSON.stringify(await answer(name, JSON.parse(args), stopped)),
        },
        { threads, limits: { ...defaultScriptLimits, ...limits }, signal },
      ),
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
