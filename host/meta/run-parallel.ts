import type { Dispatch } from '../api/dispatch.ts';
import type { Content, JsonObject, StructuredResult, ToolResult } from '../api/result.ts';
import type { Progress, Tool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import { oneAtATime } from '../core/async/one-at-a-time.ts';
import { progressText } from '../core/text/progress-text.ts';
import { toInnerRequest } from '../dispatch/inner-call.ts';
import { textOf } from '../tools/result.ts';
import type { StructureOf } from '../tools/structure.ts';
import { noTimeoutSeconds } from './no-timeout.ts';

interface Part {
  readonly tool: string;
  readonly params?: JsonObject;
}

/** Calls in one request, and of those at a time. */
const maxCalls = 25;
const concurrency = 8;

const outputSchema = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      description: 'In the order of the calls.',
      items: {
        type: 'object',
        required: ['tool', 'ok', 'text'],
        properties: {
          tool: { type: 'string' },
          ok: { type: 'boolean' },
          text: { type: 'string' },
          structured: {},
          error: {
            type: 'object',
            required: ['code', 'message'],
            properties: { code: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
} as const;

/** Runs every call through dispatch: same caller, same `ask`, one cancellation for all. */
export function runParallel({
  dispatch,
}: {
  readonly dispatch: Dispatch;
}): Tool<{ readonly calls: readonly Part[] }> {
  return {
    name: 'run_parallel',
    description: 'Run several independent tool calls at once. Results come in the order of the calls.',
    parameters: {
      type: 'object',
      properties: {
        calls: {
          type: 'array',
          minItems: 1,
          maxItems: maxCalls,
          items: {
            type: 'object',
            properties: { tool: { type: 'string' }, params: { type: 'object' } },
            required: ['tool'],
            additionalProperties: false,
          },
        },
      },
      required: ['calls'],
      additionalProperties: false,
    },
    outputSchema,
    innerCalls: [{ in: 'calls', tool: 'tool', args: 'params' }],
    timeout: noTimeoutSeconds,
    async execute({ calls }, call) {
      refuseNesting(call);
      const ask = oneAtATime(call.ask);
      const report = reporter(call, calls.length);
      const results = await runAll(calls, async ({ tool, params = {} }) => {
        const result = await dispatch({
          ...toInnerRequest(call, tool, params),
          ...(call.isAttended && { ask }),
          onProgress: (step) => report.during(tool, step),
        });
        report.ended();
        return result;
      });
      return toOneResult(calls, results);
    },
  };
}

/** Nested run_parallel calls would bypass both limits. */
function refuseNesting(call: ToolCall): void {
  for (let outer = call.parent; outer; outer = outer.parent) {
    if (outer.tool.id !== call.tool.id) continue;
    throw new PegboardError('PEG_INVALID_ARGUMENTS', `${call.tool.name} runs other tools, not itself.`);
  }
}

/** At most `concurrency` at a time, started in order. */
async function runAll(
  parts: readonly Part[],
  run: (part: Part) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  const waiting = parts.entries();
  const work = async (): Promise<void> => {
    for (const [at, part] of waiting) results[at] = await run(part);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, parts.length) }, work));
  return results;
}

/** Progress increases with every step of any part. */
function reporter(call: ToolCall, total: number) {
  let steps = 0;
  let ended = 0;
  return {
    during(tool: string, step: Progress): void {
      const text = progressText(step);
      if (text === '') return;
      const own = { progress: ++steps, message: `${tool}: ${text}` };
      call.progress(markUntrusted(own, ...originsOf(step)));
    },
    ended: (): void => call.progress({ progress: ++steps, message: `${++ended} of ${total} done` }),
  };
}

/** Every part's content, images included, under a line that names it; and the same as structured content. */
function toOneResult(
  parts: readonly Part[],
  results: readonly ToolResult[],
): StructuredResult<StructureOf<typeof outputSchema>> {
  const content = results.flatMap((result, at): Content[] => [
    {
      type: 'text',
      text: `[${at + 1}] ${parts[at]!.tool}: ${result.error ? `failed (${result.error.code})` : 'ok'}`,
    },
    ...result.content,
  ]);
  const entries = results.map((result, at) => ({
    tool: parts[at]!.tool,
    ok: !result.error,
    text: textOf(result),
    ...(result.structured !== undefined && { structured: result.structured }),
    ...(result.error && { error: { code: result.error.code, message: result.error.message } }),
  }));
  return { content, structured: { results: entries } };
}
