import type { RecordedCall, TurnEvent } from '../api/conversation.ts';
import type { CallRequest, ConfirmPolicy, Dispatch } from '../api/dispatch.ts';
import type { ModelMessage, ModelToolCall } from '../api/model.ts';
import type { MaybePromise, ToolResult } from '../api/result.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import { PegboardError, toFailure } from '../core/errors.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import { failedResult, textOf } from '../tools/result.ts';
import { isMeta } from '../tools/meta.ts';
import { mayHoldSecrets, shownArguments } from '../tools/shown-arguments.ts';
import { unnamed } from './models/wire/call-deltas.ts';
import { incomplete, readArguments, unreadable } from './read-arguments.ts';
import { toModelContent } from './result-content.ts';
import type { Turn } from './turn.ts';

export interface CallRunnerOptions {
  readonly dispatch: Dispatch;
  readonly snapshot: () => Snapshot;
  readonly turn: Turn;
  readonly scope: Scope;
  readonly confirm: ConfirmPolicy | undefined;
  readonly say: (event: TurnEvent) => void;
  /** Removes the secrets known at the time of the call. */
  readonly redact: <T>(value: T) => T;
  /** Called before a call has its first effect. Resolves with its number. */
  readonly begin: (call: Pick<RecordedCall, 'id' | 'tool' | 'args'>) => Promise<number>;
  /** Called for each call as it ends, with what `begin` returned for it. */
  readonly record: (call: RecordedCall, begun: number | undefined) => Promise<void>;
  /** Whether the turn is being suspended, to continue after a restart. */
  readonly isSuspended: () => boolean;
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/**
 * Runs the calls of one reply in parallel. Results come in the order of the calls; each call is recorded as it ends.
 */
export type RunCalls = (calls: readonly ModelToolCall[]) => Promise<readonly ToolMessage[]>;

export function createCallRunner(options: CallRunnerOptions): RunCalls {
  const { dispatch, snapshot, turn, scope, confirm, say, redact, begin, record, isSuspended } = options;

  const run = async (call: ModelToolCall): Promise<ToolMessage> => {
    const startedAt = performance.now();
    const { args, problem } = parseCall(call, snapshot());
    const shown = effectiveCall(call.name, args, snapshot());
    say({ type: 'tool_start', callId: call.id, tool: shown.tool, args: redact(shown.args) });
    let begun: Promise<number> | undefined;
    const result = await runOrAnswer(call, problem, {
      name: call.name,
      args: problem ?? args,
      scope,
      caller: `agent:${turn.agent}`,
      signal: turn.signal,
      turn,
      beforeEffect: async () =>
        void (await (begun ??= begin({ id: call.id, tool: shown.tool, args: redact(shown.args) }))),
      onProgress(step) {
        const { message } = step;
        if (message === undefined) return;
        say(markUntrusted({ type: 'tool_progress', callId: call.id, message }, ...originsOf(step)));
      },
      ...(turn.ask && { ask: turn.ask }),
      ...(confirm && { confirm }),
    });
    const ms = Math.round(performance.now() - startedAt);
    say({ type: 'tool_end', callId: call.id, tool: shown.tool, result, ms });
    const content = toModelContent(result);
    // A call that a suspension prevented is repeated later; the result of one that it interrupted is unknown.
    const isCutOff = isSuspended() && (!begun || result.error?.code === 'PEG_CANCELLED');
    if (!(isCutOff && result.error)) {
      const text = textOf({ content });
      const recorded = { id: call.id, tool: shown.tool, args: redact(shown.args), result: text };
      await record({ ...recorded, ok: !result.error, ms }, await begun);
    }
    return { role: 'tool', callId: call.id, name: call.name, content };
  };

  /** An unreadable call may have no name: "no such tool" would be the wrong answer. */
  const runOrAnswer = (
    { name }: ModelToolCall,
    problem: PegboardError | undefined,
    request: CallRequest,
  ): MaybePromise<ToolResult> =>
    problem && name === unnamed ? failedResult(toFailure('validate', problem)) : dispatch(request);

  return async (calls) => {
    // All calls end before a failure to record one is thrown.
    const answers = await Promise.allSettled(calls.map(run));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  };
}

function parseCall(
  { name, arguments: text, problem }: ModelToolCall,
  snapshot: Snapshot,
): { readonly args: unknown; readonly problem?: PegboardError } {
  try {
    if (problem !== undefined) throw incomplete(problem);
    return { args: readArguments(text) };
  } catch (cause) {
    const tool = snapshot.find(name);
    const { code, message } = tool && mayHoldSecrets(tool) ? unreadable() : (cause as PegboardError);
    const explained = new PegboardError(code, message, tool && { data: { schema: tool.parameters } });
    return { args: text, problem: explained };
  }
}

/** The tool that a call runs, also through execute_tool, and its arguments without secrets. */
function effectiveCall(
  name: string,
  args: unknown,
  snapshot: Snapshot,
): { readonly tool: string; readonly args: unknown } {
  const find = (other: string) => snapshot.find(other);
  const tool = find(name);
  if (tool && isMeta(tool) && tool.name === 'execute_tool') {
    const { name: wanted, params = {} } = (args ?? {}) as {
      readonly name?: unknown;
      readonly params?: unknown;
    };
    const inner = typeof wanted === 'string' ? find(wanted) : undefined;
    if (inner && !isMeta(inner)) return { tool: inner.id, args: shownArguments(inner, params, find) };
  }
  return tool ? { tool: tool.id, args: shownArguments(tool, args, find) } : { tool: name, args };
}
