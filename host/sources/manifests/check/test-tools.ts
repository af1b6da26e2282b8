import { isDeepStrictEqual } from 'node:util';
import type { CallRequest, Dispatch } from '../../../api/dispatch.ts';
import type { ToolResult } from '../../../api/result.ts';
import type { RegisteredTool, ToolExample } from '../../../api/tool.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';

/** The outcome of an example. */
export interface ExampleOutcome {
  /** The tool's id. */
  readonly tool: string;
  /** From 1. */
  readonly example: number;
  readonly ok: boolean;
  /** Why the example did not pass: the failure, or the actual and the expected output. */
  readonly problem?: string;
  readonly ms: number;
}

/**
 * Runs the examples of the tools one after the other, and compares outputs where given. The caller has reviewed what
 * will run: `request` says how confirmations are answered.
 */
export async function* testTools(
  tools: Iterable<RegisteredTool>,
  dispatch: Dispatch,
  request: Omit<CallRequest, 'name' | 'args'>,
): AsyncGenerator<ExampleOutcome> {
  for (const tool of tools) {
    for (const [index, example] of (tool.examples ?? []).entries()) {
      const started = performance.now();
      const result = await dispatch({ ...request, name: tool.id, args: example.input });
      const problem = problemOf(result, example);
      yield {
        tool: tool.id,
        example: index + 1,
        ok: problem === undefined,
        ...(problem !== undefined && { problem }),
        ms: performance.now() - started,
      };
    }
  }
}

function problemOf(result: ToolResult, { output }: ToolExample): string | undefined {
  if (result.error) return `failed: ${result.error.message}`;
  if (output === undefined) return undefined;
  if (typeof output === 'string') {
    const text = textOf(result);
    // Examples omit the newline that a command prints last.
    return trimEnd(text) === trimEnd(output) ? undefined : differs(trimEnd(output), trimEnd(text));
  }
  const value = comparable(result.structured, output);
  return isDeepStrictEqual(value, output) ? undefined : differs(output, value ?? textOf(result));
}

/** An example contains a list or a single value as it is; structured content wraps it in an object. */
function comparable(structured: unknown, output: unknown): unknown {
  const isMap = output !== null && typeof output === 'object' && !Array.isArray(output);
  if (isMap || structured === null || typeof structured !== 'object') return structured;
  const { lines, value } = structured as { readonly lines?: unknown; readonly value?: unknown };
  return lines ?? value;
}

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');

const trimEnd = (text: string): string => text.replace(/[\r\n]+$/, '');

const differs = (expected: unknown, found: unknown): string =>
  `expected ${toJson(expected)}, got ${toJson(found)}`;
